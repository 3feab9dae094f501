import { NONE } from '../../../kinds/printing.ts';
import { alignTabs } from './tab-alignment.ts';

const INDENTATION = '  ';

/** What people read about an object: labels, values and tables below each other, further in the deeper they belong. */
export class Sheet {
  readonly #lines: string[] = [];

  /** Cells of one line; columns of neighbouring lines are aligned. */
  line(level: number, ...cells: readonly string[]): void {
    this.#lines.push(`${INDENTATION.repeat(level)}${cells.join('\t')}\n`);
  }

  field(name: string, value: string | number | boolean, level = 0): void {
    this.line(level, `${name}:`, String(value));
  }

  /** The first value beside the name, the others below it. */
  values(name: string, values: readonly string[], level = 0): void {
    const [first = NONE, ...others] = values;
    this.line(level, `${name}:`, first);
    for (const value of others) this.line(0, '', value);
  }

  /** A header, a rule below it, and rows. The rule is as long as the header unless `rules` says otherwise. */
  table(level: number, header: readonly string[], rows: readonly (readonly string[])[], rules = rulesOf(header)): void {
    for (const row of [header, rules, ...rows]) this.line(level, ...row);
  }

  toString(): string {
    return alignTabs(this.tabbedText());
  }

  /** With tabs between cells, not aligned. */
  tabbedText(): string {
    return withoutControls(this.#lines.join(''));
  }
}

export const rulesOf = (header: readonly string[]): readonly string[] => header.map((name) => '-'.repeat(name.length));

/** Objects come from others: what they hold must not drive the terminal of who reads it. */
const withoutControls = (text: string): string => text.replaceAll('\u001b', '^[').replaceAll('\r', '\\r');
