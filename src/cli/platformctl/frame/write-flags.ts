import { type Flag, optionalText } from '../../../settings/flag.ts';
import { CommandError } from './failure.ts';
import { alone, onOff, type ShellFlag } from './flags.ts';

const DRY_RUNS = ['none', 'client', 'server'] as const;

/** `client`: nothing is sent that would change something. `server`: the plane does everything but store it. */
export type DryRun = (typeof DRY_RUNS)[number];

/** What the plane does about fields that it does not know, and that are written twice. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

const VALIDATIONS: Readonly<Record<string, FieldValidation>> = {
  strict: 'Strict',
  true: 'Strict',
  warn: 'Warn',
  ignore: 'Ignore',
  false: 'Ignore',
};

const dryRun: Flag<DryRun> = {
  name: 'dry-run',
  value: DRY_RUNS.join('|'),
  help: 'client: only show what would be sent; server: send it, to be checked and not stored',
  fallback: 'none',
  read(given) {
    const chosen = DRY_RUNS.find((one) => one === given);
    if (chosen) return chosen;
    throw new CommandError(`Invalid dry-run value (${given}). Must be "none", "server", or "client".`);
  },
  expects: `one of ${DRY_RUNS.join(', ')}`,
  fits: (value) => DRY_RUNS.some((one) => one === value),
};

const validation = (name: string): ShellFlag<FieldValidation | undefined> =>
  alone('strict', {
    name,
    value: Object.keys(VALIDATIONS).join('|'),
    help: 'what becomes of unknown fields: strict (refused, also: true), warn, or ignore (also: false)',
    fallback: undefined,
    read(given) {
      const chosen = Object.hasOwn(VALIDATIONS, given) ? VALIDATIONS[given] : undefined;
      if (chosen) return chosen;
      throw new CommandError(
        `invalid - validate option ${JSON.stringify(given)}; must be one of: strict (or true), warn, ignore (or false)`,
      );
    },
    expects: `one of ${Object.keys(VALIDATIONS).join(', ')}`,
    fits: (value) => Object.values(VALIDATIONS).some((one) => one === value),
  });

/** Flags of everything that changes objects. */
export const WRITE_FLAGS = {
  dryRun: alone('client', dryRun),
  fieldManager: optionalText('field-manager', 'NAME', 'who manages the fields that are written'),
};

/** Of what writes objects that files hold. */
export const EXPLAIN_FLAGS = {
  explainAdmission: onOff('explain-admission', false, 'write nothing, and tell what admission would do with it'),
};

/** Flags of what writes whole objects. */
export const VALIDATION_FLAGS = {
  validate: validation('validate'),
  fieldValidation: validation('field-validation'),
};

/** What they say. */
export const fieldValidation = ({
  validate,
  fieldValidation: given,
}: {
  readonly validate: FieldValidation | undefined;
  readonly fieldValidation: FieldValidation | undefined;
}): FieldValidation => given ?? validate ?? 'Strict';

/** `created`, with what a dry run left out of it. */
export const outcomeWord = (word: string, run: DryRun): string => {
  if (run === 'client') return `${word} (dry run)`;
  return run === 'server' ? `${word} (server dry run)` : word;
};
