import type { Path } from './path.ts';

/** One problem with one field. The shape is that of a cause in a Status. */
export interface FieldProblem {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

/** More problems than anyone reads, or longer texts, are counted and not told: to tell them takes time and memory. */
const MOST_PROBLEMS = 1_000;
const ROOM_FOR_TEXTS = 256 * 1024;
/** Long enough for any name; what is longer is cut, since messages travel to logs and terminals. */
const LONGEST_QUOTED = 1024;
const LONGEST_MESSAGE = 20_000;

const cut = (text: string, longest: number): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

const textOf = (value: unknown): string => (value === undefined ? 'null' : JSON.stringify(value));

/** Of a value that is shown only in part, no more is written than that part, and how long it is in all. */
const bounded = (text: string, length: number): string =>
  text.length > LONGEST_QUOTED ? `${text.slice(0, LONGEST_QUOTED)}… (${length} characters)` : text;

const QUOTES = 2;

/** Stands for a value that no message may show. */
export const REDACTED = '<secret contents redacted>';

/** Names, labels and the like can be shown of any object, and its type; an annotation may hold all of it. */
const OPEN = /^(?:metadata(?!\.annotations)\b|type$)/;

const tail = (detail: string | undefined): string => (detail === undefined || detail === '' ? '' : `: ${detail}`);

/**
 * Collects every problem of an object, so that a refused write names them all at once. One method for each reason a
 * field can be refused for; texts follow the form clients know.
 */
export class Problems {
  readonly found: FieldProblem[] = [];
  readonly #hidesValues: boolean;
  #told = 0;
  #more = 0;
  #room = ROOM_FOR_TEXTS;

  /** `hidesValues`: of an object whose values must not be read by whoever reads messages. */
  constructor({ hidesValues = false }: { readonly hidesValues?: boolean | undefined } = {}) {
    this.#hidesValues = hidesValues;
  }

  /** How many problems there are; of very many, not all are among `found`. */
  get count(): number {
    return this.#told + this.#more;
  }

  add(path: Path | string, reason: string, message: string): void {
    this.#add(path, reason, () => message);
  }

  required(path: Path | string, detail?: string): void {
    this.#add(path, 'FieldValueRequired', () => `Required value${tail(detail)}`);
  }

  invalid(path: Path | string, value: unknown, detail?: string): void {
    this.#add(path, 'FieldValueInvalid', () => `Invalid value: ${this.#shown(path, value)}${tail(detail)}`);
  }

  /** The values that are supported are a set, and shown in alphabetical order. */
  notSupported(path: Path | string, value: unknown, supported: readonly string[]): void {
    this.#unsupported(path, value, () => [...supported].sort());
  }

  /** The values that are supported are listed in a schema, and shown in the order of that. */
  notEnumerated(path: Path | string, value: unknown, enumerated: readonly string[]): void {
    this.#unsupported(path, value, () => enumerated);
  }

  duplicate(path: Path | string, value: unknown): void {
    this.#add(path, 'FieldValueDuplicate', () => `Duplicate value: ${this.#shown(path, value)}`);
  }

  forbidden(path: Path | string, detail?: string): void {
    this.#add(path, 'FieldValueForbidden', () => `Forbidden${tail(detail)}`);
  }

  notFound(path: Path | string, value: unknown): void {
    this.#add(path, 'FieldValueNotFound', () => `Not found: ${this.#shown(path, value)}`);
  }

  tooLong(path: Path | string, maximum: number): void {
    this.#add(path, 'FieldValueTooLong', () => `Too long: must have at most ${maximum} bytes`);
  }

  /** A value, or a type, in the place of one of another type. */
  typeInvalid(path: Path | string, value: unknown, detail: string): void {
    this.#add(path, 'FieldValueTypeInvalid', () => `Invalid value: ${this.#shown(path, value)}${tail(detail)}`);
  }

  tooManyCharacters(path: Path | string, maximum: number): void {
    this.#add(path, 'FieldValueTooLong', () => `Too long: may not be longer than ${maximum}`);
  }

  tooMany(path: Path | string, count: number, maximum: number): void {
    this.#add(path, 'FieldValueTooMany', () => `Too many: ${count}: must have at most ${maximum} items`);
  }

  #unsupported(path: Path | string, value: unknown, supported: () => readonly string[]): void {
    this.#add(path, 'FieldValueNotSupported', () => {
      const choices = supported().map(textOf).join(', ');
      return `Unsupported value: ${this.#shown(path, value)}${tail(choices && `supported values: ${choices}`)}`;
    });
  }

  /** What it takes to write a large value counts as well, although most of it is not shown. */
  #shown(path: Path | string, value: unknown): string {
    const shown = this.#hidesValues && !OPEN.test(path.toString()) ? REDACTED : value;
    if (typeof shown === 'string' && shown.length > LONGEST_QUOTED) {
      return bounded(textOf(shown.slice(0, LONGEST_QUOTED)), shown.length + QUOTES);
    }
    const text = textOf(shown);
    this.#room -= text.length;
    return bounded(text, text.length);
  }

  /** `message` is made only if it is told. */
  #add(path: Path | string, reason: string, message: () => string): void {
    if (this.#told >= MOST_PROBLEMS || this.#room <= 0) this.#countOneMore();
    else this.#tell(path.toString(), reason, message());
  }

  #tell(field: string, reason: string, message: string): void {
    this.#told++;
    this.#room -= field.length + message.length;
    this.found.push({ reason, message: cut(message, LONGEST_MESSAGE), field: cut(field, LONGEST_MESSAGE) });
  }

  /** Whatever is not told is counted by the last of those that are. */
  #countOneMore(): void {
    this.#more++;
    this.found[this.#told] = {
      reason: 'FieldValueTooMany',
      message: `Too many problems: ${this.#more} more were found`,
      field: '',
    };
  }
}
