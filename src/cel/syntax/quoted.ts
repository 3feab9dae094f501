/** A literal in quotes, read from its first character on. */
export interface Quoted {
  readonly end: number;
  /** Whether it has an end, and only escapes that exist. */
  readonly isComplete: boolean;
  readonly isBytes: boolean;
  /** Text; of bytes, one character for each byte. */
  readonly value: string;
  readonly problem?: string;
}

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
  '?': '?',
};
const HEX_ESCAPES: Readonly<Record<string, number>> = { x: 2, X: 2, u: 4, U: 8 };

const HEX = /^[0-9a-fA-F]+$/;
const OCTAL = /^[0-3][0-7]{2}$/;

/** Reads the literal whose `prefixLength` letters start at `start`. Linear: every character is looked at once. */
export function readQuoted(source: string, start: number, prefixLength: number): Quoted {
  const prefix = source.slice(start, start + prefixLength).toLowerCase();
  const isRaw = prefix.includes('r');
  const isBytes = prefix.includes('b');
  const open = start + prefixLength;
  const quote = source.charAt(open);
  const delimiter = source.startsWith(quote.repeat(3), open) ? quote.repeat(3) : quote;
  const isLong = delimiter.length === 3;
  const parts: string[] = [];
  let at = open + delimiter.length;
  let copied = at;
  let problem: string | undefined;
  const flush = (): void => {
    if (at > copied) parts.push(isBytes ? utf8(source.slice(copied, at)) : source.slice(copied, at));
  };
  const broken = (end: number): Quoted => ({ end, isComplete: false, isBytes, value: '' });
  while (at < source.length) {
    const character = source.charAt(at);
    if (character === quote && source.startsWith(delimiter, at)) {
      flush();
      const value = parts.join('');
      const end = at + delimiter.length;
      return problem === undefined
        ? { end, isComplete: true, isBytes, value }
        : { end, isComplete: true, isBytes, value, problem };
    }
    if (!isLong && (character === '\n' || character === '\r')) return broken(at);
    if (character !== '\\' || isRaw) {
      at++;
      continue;
    }
    flush();
    const escaped = readEscape(source, at, isBytes);
    if (!escaped) return broken(Math.min(at + 2, source.length));
    problem ??= escaped.problem;
    parts.push(escaped.text);
    at += escaped.length;
    copied = at;
  }
  return broken(source.length);
}

interface Escape {
  readonly length: number;
  readonly text: string;
  readonly problem?: string;
}

function readEscape(source: string, at: number, isBytes: boolean): Escape | undefined {
  const letter = source.charAt(at + 1);
  const simple = SIMPLE_ESCAPES[letter];
  if (simple !== undefined) return { length: 2, text: simple };
  const octal = source.slice(at + 1, at + 4);
  if (OCTAL.test(octal)) return { length: 4, text: String.fromCharCode(Number.parseInt(octal, 8)) };
  const digits = HEX_ESCAPES[letter];
  if (digits === undefined) return undefined;
  const hex = source.slice(at + 2, at + 2 + digits);
  if (hex.length !== digits || !HEX.test(hex)) return undefined;
  const code = Number.parseInt(hex, 16);
  const length = 2 + digits;
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    return { length, text: '', problem: 'invalid unicode code point' };
  }
  if (isBytes && digits > 2) return { length, text: '', problem: 'unable to unescape string' };
  return { length, text: String.fromCodePoint(code) };
}

/** One character for each byte of the text. */
const utf8 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
