import { type Flag, optionalText, type Setting, UsageError } from './flag.ts';

/** Flags whose files say what several others say too. */
export const CONFIGURATION_FILE_FLAGS = {
  authenticationConfig: optionalText(
    'authentication-config',
    'FILE',
    'AuthenticationConfiguration that names issuers of tokens, and where no credentials are needed; read again when it changes',
  ),
  authorizationConfig: optionalText(
    'authorization-config',
    'FILE',
    'AuthorizationConfiguration that says who decides, in order; read again when it changes',
  ),
} satisfies Record<string, Setting<unknown>>;

/** By the option of a file, how the options begin that it takes the place of. */
const REPLACED: Readonly<Record<keyof typeof CONFIGURATION_FILE_FLAGS, readonly string[]>> = {
  authenticationConfig: ['oidc'],
  authorizationConfig: ['authorizationMode', 'authorizationWebhook'],
};

/**
 * Throws a UsageError where a file is given together with flags that it takes the place of: nobody could tell which counts.
 * `given`: the options that are set, with their flags.
 */
export function refuseReplaced(given: ReadonlyMap<string, Pick<Flag<unknown>, 'name'>>): void {
  for (const [option, starts] of Object.entries(REPLACED)) {
    const file = given.get(option);
    const other = file && [...given].find(([one]) => starts.some((start) => one.startsWith(start)));
    if (other) throw new UsageError(`--${file.name} takes the place of --${other[1].name}: give one of them`);
  }
}
