import type { Path } from './path.ts';

/** One problem with one field. The shape is that of a cause in a Status. */
export interface FieldProblem {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

const quote = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : show(value));

const show = (value: unknown): string => (value === null || value === undefined ? 'null' : JSON.stringify(value));

const tail = (detail: string | undefined): string => (detail === undefined || detail === '' ? '' : `: ${detail}`);

/**
 * Collects every problem of an object, so that a refused write names them all at once. One method for each reason a
 * field can be refused for; texts follow the form clients know.
 */
export class Problems {
  readonly found: FieldProblem[] = [];

  add(path: Path | string, reason: string, message: string): void {
    this.found.push({ reason, message, field: path.toString() });
  }

  required(path: Path | string, detail?: string): void {
    this.add(path, 'FieldValueRequired', `Required value${tail(detail)}`);
  }

  invalid(path: Path | string, value: unknown, detail?: string): void {
    this.add(path, 'FieldValueInvalid', `Invalid value: ${quote(value)}${tail(detail)}`);
  }

  notSupported(path: Path | string, value: unknown, supported: readonly string[]): void {
    const choices = [...supported].sort().map(quote).join(', ');
    this.add(
      path,
      'FieldValueNotSupported',
      `Unsupported value: ${quote(value)}${tail(choices && `supported values: ${choices}`)}`,
    );
  }

  duplicate(path: Path | string, value: unknown): void {
    this.add(path, 'FieldValueDuplicate', `Duplicate value: ${quote(value)}`);
  }

  forbidden(path: Path | string, detail?: string): void {
    this.add(path, 'FieldValueForbidden', `Forbidden${tail(detail)}`);
  }

  notFound(path: Path | string, value: unknown): void {
    this.add(path, 'FieldValueNotFound', `Not found: ${quote(value)}`);
  }

  tooLong(path: Path | string, maximum: number): void {
    this.add(path, 'FieldValueTooLong', `Too long: must have at most ${maximum} bytes`);
  }

  tooMany(path: Path | string, count: number, maximum: number): void {
    this.add(path, 'FieldValueTooMany', `Too many: ${count}: must have at most ${maximum} items`);
  }
}
