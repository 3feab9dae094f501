import { AS_DURATION, AS_SIZE, AS_SWITCHES, AS_TEXT, type DocumentForm, NATIVE } from './document-form.ts';
import { parseBytes, parseDuration, sizeText } from './units.ts';

/** One row of the flag table. The table gives parsing, `--help` and the options of programs alike. */
export interface Flag<T> {
  readonly name: string;
  /** What stands for the value in the help text. */
  readonly value: string;
  readonly help: string;
  readonly fallback: T;
  /** Throws what to tell the operator when the text does not fit. */
  read(text: string): T;
  /** What a program gives instead of text, in words. */
  readonly expects: string;
  /** Whether a value that a program gives is of that sort. */
  fits(value: unknown): boolean;
}

/** A flag that a configuration file can set as well. */
export interface Setting<T> extends Flag<T> {
  readonly form: DocumentForm;
}

/** What the flags of a table are set to. */
export type FlagValues<T extends Readonly<Record<string, Flag<unknown>>>> = {
  readonly [K in keyof T]: T[K] extends Flag<infer V> ? V : never;
};

/** A command line or an option that cannot be followed; the message is one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const TEXT = { expects: 'a text that is not empty', fits: isText };
const TEXTS = {
  expects: 'a list of texts',
  fits: (value: unknown): boolean => Array.isArray(value) && value.every(isText),
};

export const text = (name: string, value: string, fallback: string, help: string): Setting<string> => ({
  name,
  value,
  help,
  fallback,
  read(given) {
    if (given === '') throw new UsageError(`--${name} needs a value`);
    return given;
  },
  ...TEXT,
  form: AS_TEXT,
});

/** An empty value is the same as none, as scripts expect that leave a variable unset. */
export const optionalText = (name: string, value: string, help: string): Setting<string | undefined> => ({
  name,
  value,
  help,
  fallback: undefined,
  read: (given) => (given === '' ? undefined : given),
  ...TEXT,
  form: AS_TEXT,
});

export const choice = <const C extends string>(
  name: string,
  choices: readonly C[],
  fallback: C,
  help: string,
): Setting<C> => ({ ...optionalChoice(name, choices, help), fallback });

/** What is used when none is given depends on something else; the help text says on what. */
export const optionalChoice = <const C extends string>(
  name: string,
  choices: readonly C[],
  help: string,
): Setting<C | undefined> & { read(text: string): C } => ({
  name,
  value: choices.join('|'),
  help,
  fallback: undefined,
  read(given) {
    const chosen = choices.find((one) => one === given);
    if (chosen === undefined) throw new UsageError(`--${name} must be one of ${choices.join(', ')}, not "${given}"`);
    return chosen;
  },
  expects: `one of ${choices.join(', ')}`,
  fits: (value) => choices.some((one) => one === value),
  form: AS_TEXT,
});

export const integer = (
  name: string,
  lowest: number,
  highest: number,
  fallback: number,
  help: string,
): Setting<number> => {
  const expects = `a whole number from ${lowest} to ${highest}`;
  const fits = (value: unknown): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value >= lowest && value <= highest;
  return {
    name,
    value: 'N',
    help,
    fallback,
    read(given) {
      const number = /^\d+$/.test(given) ? Number(given) : Number.NaN;
      if (!fits(number)) throw new UsageError(`--${name} must be ${expects}, not "${given}"`);
      return number;
    },
    expects,
    fits,
    form: NATIVE,
  };
};

const readSize =
  (name: string, least: number) =>
  (given: string): number => {
    const bytes = parseBytes(given);
    if (bytes !== undefined && bytes >= least) return bytes;
    const bound = least > 0 ? `, at least ${sizeText(least)}` : '';
    throw new UsageError(`--${name} must be a size such as 512MiB, 2Gi or a number of bytes${bound}, not "${given}"`);
  };

const isSize =
  (least: number) =>
  (value: unknown): boolean =>
    Number.isSafeInteger(value) && Number(value) >= least;

/** An amount of bytes. */
export const size = (name: string, fallback: number, help: string): Setting<number> => ({
  name,
  value: 'SIZE',
  help,
  fallback,
  read: readSize(name, 0),
  expects: 'a whole number of bytes',
  fits: isSize(0),
  form: AS_SIZE,
});

/** An amount of bytes that is found out where it is not given. */
export const optionalSize = (name: string, least: number, help: string): Setting<number | undefined> => ({
  name,
  value: 'SIZE',
  help,
  fallback: undefined,
  read: readSize(name, least),
  expects: `a whole number of bytes, at least ${sizeText(least)}`,
  fits: isSize(least),
  form: AS_SIZE,
});

/** A number that need not be whole. */
export const decimal = (name: string, fallback: number, help: string): Setting<number> => ({
  name,
  value: 'N',
  help,
  fallback,
  read(given) {
    const number = /^\d+(\.\d+)?$/.test(given) ? Number(given) : Number.NaN;
    if (!(number > 0)) throw new UsageError(`--${name} must be a number above 0, not "${given}"`);
    return number;
  },
  expects: 'a number above 0',
  fits: (value) => Number.isFinite(value) && Number(value) > 0,
  form: NATIVE,
});

/** A part of the whole, from 0 to `highest`; nothing unless given. */
export const fraction = (name: string, highest: number, help: string): Setting<number> => {
  const expects = `a number from 0 to ${highest}`;
  const fits = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= highest;
  return {
    name,
    value: 'N',
    help,
    fallback: 0,
    read(given) {
      const number = /^(?:\d+(?:\.\d+)?|\.\d+)$/.test(given) ? Number(given) : Number.NaN;
      if (!fits(number)) throw new UsageError(`--${name} must be ${expects}, not "${given}"`);
      return number;
    },
    expects,
    fits,
    form: NATIVE,
  };
};

export const duration = (name: string, fallbackMs: number, help: string): Setting<number> => ({
  name,
  value: 'DURATION',
  help,
  fallback: fallbackMs,
  read(given) {
    const milliseconds = parseDuration(given);
    if (milliseconds === undefined) {
      throw new UsageError(`--${name} must be a duration such as 30s, 5m or 1h30m, not "${given}"`);
    }
    return milliseconds;
  },
  expects: 'a number of milliseconds, 0 or more',
  fits: (value) => Number.isFinite(value) && Number(value) >= 0,
  form: AS_DURATION,
});

export const boolean = (name: string, fallback: boolean, help: string): Setting<boolean> => ({
  name,
  value: 'true|false',
  help,
  fallback,
  read(given) {
    if (given !== 'true' && given !== 'false') throw new UsageError(`--${name} must be true or false, not "${given}"`);
    return given === 'true';
  },
  expects: 'true or false',
  fits: (value) => typeof value === 'boolean',
  form: NATIVE,
});

export const list = (
  name: string,
  value: string,
  fallback: readonly string[],
  help: string,
): Setting<readonly string[]> => ({
  name,
  value,
  help,
  fallback,
  read: (given) => given.split(',').filter((part) => part !== ''),
  ...TEXTS,
  form: NATIVE,
});

/** One value each time the flag is given, commas and all. */
export const repeated = (name: string, value: string, help: string): Setting<readonly string[]> => ({
  name,
  value,
  help: `${help}; may be given several times`,
  fallback: [],
  read: (given) => (given === '' ? [] : [given]),
  ...TEXTS,
  form: NATIVE,
});

/** Names that are switched on and off, `name=true` or `name=false` each. */
export const switches = (name: string, value: string, help: string): Setting<readonly string[]> => ({
  ...list(name, value, [], help),
  form: AS_SWITCHES,
});
