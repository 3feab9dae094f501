import { analyzeScalar, isPrintable, readsAsText, type ScalarAnalysis } from './yaml-plain.ts';

/** A line that is longer ends at the next space. */
const WIDTH = 80;
/** Longer keys are no simple ones; in bytes. */
const MOST_KEY_LENGTH = 128;

type Style = 'plain' | 'single' | 'double' | 'literal';

/** Whether a key can stand before a colon. */
export const isSimpleKey = (key: string): boolean =>
  Buffer.byteLength(key) <= MOST_KEY_LENGTH && !analyzeScalar(key).hasBreaks;

/** A simple key, in one line. */
export function scalarText(key: string): string {
  return folded(key, styleOf(key, analyzeScalar(key), false), 0, 0, false).join('');
}

/**
 * The lines of a scalar, the first without what stands before it.
 * @param indent of lines that it goes on in
 * @param column where the first line begins
 */
export function writeScalar(value: unknown, indent: number, column: number): string[] {
  if (typeof value === 'number') return [numberText(value)];
  if (typeof value !== 'string') return [value === null || value === undefined ? 'null' : String(value)];
  const style = styleOf(value, analyzeScalar(value), true);
  return style === 'literal' ? literalLines(value, indent) : folded(value, style, indent, column, true);
}

function styleOf(text: string, analysis: ScalarAnalysis, mayBeLiteral: boolean): Style {
  if (text.includes('\n') && mayBeLiteral) return analysis.literal ? 'literal' : 'double';
  if (text.includes('\n') || !readsAsText(text)) return 'double';
  if (analysis.plain) return 'plain';
  return analysis.singleQuoted ? 'single' : 'double';
}

/** Large and small numbers have an exponent of at least two digits. */
function numberText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return Object.is(value, -0) ? '-0' : String(BigInt(value));
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  const sign = power < 0 ? '-' : '+';
  return `${digits}e${sign}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** A bar, what becomes of the end, and the text below it. */
function literalLines(text: string, indent: number): string[] {
  const leading = /^[ \n]/.test(text) ? '2' : '';
  const margin = ' '.repeat(indent);
  const lines = text.split('\n').map((line) => (line === '' ? '' : margin + line));
  if (text.endsWith('\n')) lines.pop();
  return [`|${leading}${endingOf(text)}`, ...lines];
}

/** `-` where the text does not end its last line, `+` where more than one line is empty at the end. */
function endingOf(text: string): string {
  if (!text.endsWith('\n')) return '-';
  return text === '\n' || text.endsWith('\n\n') ? '+' : '';
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\x85': '\\N',
  '\u2028': '\\L',
  '\u2029': '\\P',
};

function escapeOf(character: string): string {
  const known = ESCAPES[character];
  if (known !== undefined) return known;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** A text in one of the styles whose lines may end at a single space. */
function folded(text: string, style: Style, indent: number, column: number, mayFold: boolean): string[] {
  const quote = { plain: '', single: "'", double: '"', literal: '' }[style];
  const characters = [...text];
  const lines: string[] = [];
  let line = quote;
  let start = column;
  let afterSpace = false;
  const breakLine = (): void => {
    lines.push(line);
    line = ' '.repeat(indent);
    start = 0;
  };
  for (const [at, character] of characters.entries()) {
    if (character !== ' ') {
      line += written(character, style);
      afterSpace = false;
      continue;
    }
    const isLong = start + [...line].length > WIDTH;
    const isInside = style === 'plain' || (at > 0 && at < characters.length - 1);
    const nextIsSpace = characters[at + 1] === ' ';
    if (!(mayFold && isLong && isInside && !afterSpace) || (nextIsSpace && style !== 'double')) line += ' ';
    else {
      breakLine();
      if (nextIsSpace) line += '\\';
    }
    afterSpace = true;
  }
  return [...lines, line + quote];
}

function written(character: string, style: Style): string {
  if (style === 'single') return character === "'" ? "''" : character;
  if (style !== 'double') return character;
  const isPlain = isPrintable(character) && character !== '\n' && character !== '"' && character !== '\\';
  return isPlain ? character : escapeOf(character);
}
