/** The ways in which a credential plugin can fail. */
export type PluginFailureReason =
  /** The configuration of the plugin is wrong; nothing was run. */
  | 'Misconfigured'
  /** It needs a terminal to ask its user, and there is none. */
  | 'NotInteractive'
  | 'NotFound'
  /** It is there and cannot be started. */
  | 'NotExecutable'
  /** It ended with an exit code other than 0, or by a signal. */
  | 'Failed'
  | 'TimedOut'
  | 'TooMuchOutput'
  /** What it printed is no credential object of the version that was asked for. */
  | 'Unreadable'
  /** The object is of the right sort, and holds nothing that can be shown to a server. */
  | 'Unusable'
  | 'Expired';

/** Why there are no credentials, in one line. It never holds what a plugin printed, which may be secret. */
export class PluginFailure extends Error {
  override readonly name = 'PluginFailure';
  readonly reason: PluginFailureReason;

  constructor(reason: PluginFailureReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
