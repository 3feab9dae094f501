/** A policy, a binding or a webhook is not set up well: its failure policy decides what becomes of the request. */
export class MisconfiguredError extends Error {
  override readonly name = 'MisconfiguredError';
}
