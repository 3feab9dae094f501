import { type ApiError, badRequest, invalid } from '../../api/errors.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';

const LEVELS = ['Ignore', 'Strict', 'Warn'] as const;

/** What becomes of a document with fields that its kind does not have, or that it has twice. */
export type FieldValidationLevel = (typeof LEVELS)[number];

export const FIELD_VALIDATION_LEVELS: readonly string[] = LEVELS;

/** Warning unless something else is asked for; undefined for a level that nobody knows. */
export const fieldValidationLevel = (text: string): FieldValidationLevel | undefined =>
  text === '' ? 'Warn' : LEVELS.find((level) => level === text);

/** More than this is of no use to anyone, and could break clients. */
const MOST_WARNINGS = 50;
const MOST_LISTED = 100;
const LONGEST_PATH = 200;

/** What a strict write is refused with, given all that is odd about its document. */
export type StrictRefusal = (text: string) => ApiError;

/**
 * The specification wants 400 for every strict write, and gets that in its own vocabulary. The original answers patches
 * with 422, and its clients rely on it: `edit` opens the editor again after a 422 and gives up after a 400.
 */
export const strictPatchRefusal = ({ name }: Vocabulary): StrictRefusal =>
  name === 'platform' ? badRequest : invalidPatch;

const invalidPatch: StrictRefusal = (message) =>
  invalid('', '', '', [{ reason: 'FieldValueInvalid', message, field: 'patch' }]);

/**
 * Collects the odd fields of one document: what its text shows is noted while it is parsed, unknown fields are known when
 * it has been read. A write that is tried again tells the same once more.
 */
export class FieldValidation {
  readonly #level: FieldValidationLevel;
  readonly #warn: (text: string) => void;
  readonly #refusal: StrictRefusal;
  #noted: readonly string[] = [];

  constructor(level: FieldValidationLevel, warn: (text: string) => void, refusal: StrictRefusal) {
    this.#level = level;
    this.#warn = warn;
    this.#refusal = refusal;
  }

  /** Fields that the text has twice. `prefix` says of what, where it is not an object of the kind itself. */
  noteRepeated(paths: readonly string[], prefix = ''): void {
    if (paths.length > 0) this.#noted = [...this.#noted, ...texts(`${prefix}duplicate`, paths)];
  }

  /** Fields that are unknown although the document itself will not show it, as in the operations of a patch. */
  noteUnknown(paths: readonly string[], prefix: string): void {
    if (paths.length > 0) this.#noted = [...this.#noted, ...texts(`${prefix}unknown`, paths)];
  }

  /** The document has been read: all of it is told, or refused in the words of `words`. */
  report(unknown: readonly string[], words: (problem: string) => string = String): void {
    if (this.#level === 'Ignore' || this.#noted.length + unknown.length === 0) return;
    const all = [...this.#noted, ...texts('unknown', unknown)];
    if (this.#level === 'Warn') for (const text of all.slice(0, MOST_WARNINGS)) this.#warn(text);
    else throw this.#refusal(words(`strict decoding error: ${listed(all)}`));
  }
}

/** As many paths, and as much of each, as a message can tell. */
export const listedPaths = (paths: readonly string[]): readonly string[] => paths.slice(0, MOST_LISTED).map(short);

const texts = (what: string, paths: readonly string[]): string[] =>
  paths.slice(0, MOST_LISTED + 1).map((path) => `${what} field "${short(path)}"`);

const short = (path: string): string => (path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path);

const listed = (all: readonly string[]): string =>
  all.length > MOST_LISTED ? `${all.slice(0, MOST_LISTED).join(', ')}, and more` : all.join(', ');
