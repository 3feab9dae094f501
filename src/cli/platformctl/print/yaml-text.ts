import { compareYamlKeys } from './yaml-keys.ts';
import { isSimpleKey, scalarText, writeScalar } from './yaml-scalars.ts';

/** Objects as YAML the way tools of this kind print it: keys in order, lists not indented, long texts folded. */
export function yamlText(value: unknown): string {
  const writer = new YamlWriter();
  writer.value(value, 0);
  return writer.text();
}

/** Columns a level. */
const INDENT = 2;

class YamlWriter {
  readonly #lines: string[] = [];
  /** The line that is being written. */
  #line = '';

  text(): string {
    return this.#lines.map((line) => `${line}\n`).join('');
  }

  /** Writes a value where the line stands, or below it; ends the line. `indent` is that of what it is in. */
  value(value: unknown, indent: number): void {
    if (isEmpty(value)) this.#end(Array.isArray(value) ? '[]' : '{}');
    else if (Array.isArray(value)) this.#list(value, indent);
    else if (isRecord(value)) this.#mapping(value, indent);
    else this.#scalar(value, indent);
  }

  #scalar(value: unknown, indent: number): void {
    const [first = '', ...more] = writeScalar(value, indent + INDENT, this.#line.length);
    this.#end(first);
    this.#lines.push(...more);
  }

  #end(text: string): void {
    this.#lines.push(this.#line + text);
    this.#line = '';
  }

  #list(items: readonly unknown[], indent: number): void {
    for (const item of items) {
      this.#begin(indent);
      this.#line += '- ';
      this.value(item, isRecord(item) || Array.isArray(item) ? indent + INDENT : indent);
    }
  }

  #mapping(mapping: Readonly<Record<string, unknown>>, indent: number): void {
    const entries = Object.entries(mapping).filter(([, value]) => value !== undefined);
    for (const [key, value] of entries.sort(([a], [b]) => compareYamlKeys(a, b))) {
      this.#begin(indent);
      this.#key(key, indent);
      const below = (Array.isArray(value) || isRecord(value)) && !isEmpty(value);
      if (!below) this.#line += ' ';
      else this.#end('');
      this.value(value, Array.isArray(value) || !below ? indent : indent + INDENT);
    }
  }

  /** Keys that are long, or have several lines, are values of their own after a question mark. */
  #key(key: string, indent: number): void {
    if (isSimpleKey(key)) {
      this.#line += `${scalarText(key)}:`;
      return;
    }
    this.#line += '? ';
    this.#scalar(key, indent);
    this.#begin(indent);
    this.#line += ':';
  }

  /** Where a line of a block starts; the first one of a block in a list stands after the dash already. */
  #begin(indent: number): void {
    if (this.#line === '') this.#line = ' '.repeat(indent);
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEmpty = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && Object.values(value).every((one) => one === undefined);
};
