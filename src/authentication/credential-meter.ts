/** Told what requests show to prove who sends them. `began` is monotonic, in milliseconds. */
export interface CredentialMeter {
  /** A request came with a client certificate that is good until `expires`, in milliseconds since the epoch. */
  certificateUsed(expires: number): void;
  /** Of a service account: one kept in a secret, one that should have been replaced by now, or any other good one. */
  accountTokenUsed(sort: 'legacy' | 'stale' | 'valid'): void;
  /** Whose a token is was known already. */
  tokenKnown(began: number): void;
  /** A token had to be verified. */
  tokenVerified(began: number, isGood: boolean): void;
  /**
   * Another service is asked whose a token is, or was already by someone else who shares the answer. Gives what to call
   * when that has ended.
   */
  tokenAsked(began: number, isShared: boolean): (isAnswered: boolean) => void;
}
