import type { Path } from './path.ts';

/** One problem with one field. The shape is that of a cause in a Status. */
export interface FieldProblem {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

/** Long enough for any name; what is longer is cut, since messages travel to logs and terminals. */
const LONGEST_QUOTED = 1024;

const quote = (value: unknown): string => bounded(value === undefined ? 'null' : JSON.stringify(value));

const bounded = (text: string): string =>
  text.length > LONGEST_QUOTED ? `${text.slice(0, LONGEST_QUOTED)}… (${text.length} characters)` : text;

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
  private readonly hidesValues: boolean;

  /** `hidesValues`: of an object whose values must not be read by whoever reads messages. */
  constructor({ hidesValues = false }: { readonly hidesValues?: boolean | undefined } = {}) {
    this.hidesValues = hidesValues;
  }

  add(path: Path | string, reason: string, message: string): void {
    this.found.push({ reason, message, field: path.toString() });
  }

  required(path: Path | string, detail?: string): void {
    this.add(path, 'FieldValueRequired', `Required value${tail(detail)}`);
  }

  invalid(path: Path | string, value: unknown, detail?: string): void {
    this.add(path, 'FieldValueInvalid', `Invalid value: ${this.shown(path, value)}${tail(detail)}`);
  }

  notSupported(path: Path | string, value: unknown, supported: readonly string[]): void {
    const choices = [...supported].sort().map(quote).join(', ');
    this.add(
      path,
      'FieldValueNotSupported',
      `Unsupported value: ${this.shown(path, value)}${tail(choices && `supported values: ${choices}`)}`,
    );
  }

  duplicate(path: Path | string, value: unknown): void {
    this.add(path, 'FieldValueDuplicate', `Duplicate value: ${this.shown(path, value)}`);
  }

  forbidden(path: Path | string, detail?: string): void {
    this.add(path, 'FieldValueForbidden', `Forbidden${tail(detail)}`);
  }

  notFound(path: Path | string, value: unknown): void {
    this.add(path, 'FieldValueNotFound', `Not found: ${this.shown(path, value)}`);
  }

  tooLong(path: Path | string, maximum: number): void {
    this.add(path, 'FieldValueTooLong', `Too long: must have at most ${maximum} bytes`);
  }

  tooMany(path: Path | string, count: number, maximum: number): void {
    this.add(path, 'FieldValueTooMany', `Too many: ${count}: must have at most ${maximum} items`);
  }

  private shown(path: Path | string, value: unknown): string {
    return quote(this.hidesValues && !OPEN.test(path.toString()) ? REDACTED : value);
  }
}
