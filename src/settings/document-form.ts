import { isObject } from '../schema/json-object.ts';
import { durationText, sizeText } from './units.ts';

/** What a form uses of a flag. */
interface Reading {
  readonly expects: string;
  fits(value: unknown): boolean;
  read(text: string): unknown;
}

/** How the value of a flag is written in a configuration file. */
export interface DocumentForm {
  /** What a file gives for it, in words. */
  expects(flag: Reading): string;
  /** The value of the flag; undefined when what the file gives is of another sort. Throws as `read` of the flag does. */
  read(given: unknown, flag: Reading): { readonly value: unknown } | undefined;
  /** What a file gives to have this value. */
  write(value: unknown): unknown;
}

const fitting = (given: unknown, flag: Reading): { readonly value: unknown } | undefined =>
  flag.fits(given) ? { value: given } : undefined;

const read = (given: unknown, flag: Reading): { readonly value: unknown } | undefined =>
  typeof given === 'string' ? { value: flag.read(given) } : undefined;

/** Numbers, truth values and lists: YAML has them too. */
export const NATIVE: DocumentForm = {
  expects: ({ expects }) => expects,
  read: fitting,
  write: (value) => value,
};

/** Only a text: 1.30 without quotes is a number, and would be taken for 1.3. */
export const AS_TEXT: DocumentForm = {
  expects: ({ expects }) => expects,
  read,
  write: (value) => value,
};

/** A text with a unit, or a number of bytes. */
export const AS_SIZE: DocumentForm = {
  expects: () => 'a size such as 512MiB, or a whole number of bytes',
  read: (given, flag) => fitting(given, flag) ?? read(given, flag),
  write: (value) => (typeof value === 'number' ? sizeText(value) : value),
};

/** A text with units: a bare number could be of seconds or of milliseconds, unless it is 0. */
export const AS_DURATION: DocumentForm = {
  expects: () => 'a duration such as 30s, 5m or 1h30m',
  read: (given, flag) => (given === 0 ? { value: 0 } : read(given, flag)),
  write: (value) => (typeof value === 'number' ? durationText(value) : value),
};

/** What is on and what is off, by name; or a list of texts as the command line has them. */
export const AS_SWITCHES: DocumentForm = {
  expects: () => 'a map of names to true or false, or a list of texts',
  read(given, flag) {
    if (!isObject(given)) return fitting(given, flag);
    const switches = Object.entries(given);
    if (!switches.every(([, isOn]) => typeof isOn === 'boolean')) return undefined;
    return { value: switches.map(([name, isOn]) => `${name}=${isOn}`) };
  },
  write(value) {
    if (!Array.isArray(value) || value.length === 0) return value;
    const switches = value.map((text) => /^([^=]+)=(true|false)$/.exec(String(text)));
    const names = switches.map((match) => match?.[1]);
    // What is no switch, or is named twice, only a list can say.
    if (names.includes(undefined) || new Set(names).size < names.length) return value;
    return Object.fromEntries(switches.map((match) => [match?.[1] ?? '', match?.[2] === 'true']));
  },
};
