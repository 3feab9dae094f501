import { goNumber, goText } from '../go-text.ts';

const VERB = /%([-+# 0]*)(\*|\d{1,4})?(?:\.(\*|\d{0,4}))?([a-zA-Z%])/g;

/** `printf`: values at their verbs, and what is wrong with them in the text itself. */
export function formatted(format: string, values: readonly unknown[]): string {
  let next = 0;
  const text = format.replaceAll(VERB, (_, flags: string, width?: string, precision?: string, verb = '') => {
    if (verb === '%') return '%';
    const size = width === '*' ? Number(values[next++]) : Number(width ?? 0);
    const digits = precision === '*' ? Number(values[next++]) : precision === undefined ? undefined : Number(precision);
    if (next >= values.length) return `%!${verb}(MISSING)`;
    return padded(verbText(verb, values[next++], flags, digits), Math.min(size, 10_000), flags);
  });
  if (next >= values.length) return text;
  const extra = values.slice(next).map((value) => `${typeName(value)}=${goText(value)}`);
  return `${text}%!(EXTRA ${extra.join(', ')})`;
}

function padded(text: string, size: number, flags: string): string {
  const missing = size - [...text].length;
  if (missing <= 0) return text;
  if (flags.includes('-')) return text + ' '.repeat(missing);
  if (!flags.includes('0')) return ' '.repeat(missing) + text;
  const sign = /^[-+]/.exec(text)?.[0] ?? '';
  return sign + '0'.repeat(missing) + text.slice(sign.length);
}

function verbText(verb: string, value: unknown, flags: string, precision: number | undefined): string {
  switch (verb) {
    case 'v':
      return goText(value);
    case 'T':
      return typeName(value);
    case 't':
      return typeof value === 'boolean' ? String(value) : wrong(verb, value);
    case 's':
      if (typeof value === 'number' || typeof value === 'boolean') return wrong(verb, value);
      return precision === undefined ? goText(value) : [...goText(value)].slice(0, precision).join('');
    case 'q':
      return typeof value === 'string' ? JSON.stringify(value) : wrong(verb, value);
    default:
      return typeof value === 'number' ? numberText(verb, value, flags, precision) : textDigits(verb, value);
  }
}

/** Bytes of texts as digits. */
function textDigits(verb: string, value: unknown): string {
  if (typeof value !== 'string' || (verb !== 'x' && verb !== 'X')) return wrong(verb, value);
  const hex = Buffer.from(value).toString('hex');
  return verb === 'X' ? hex.toUpperCase() : hex;
}

const RADIXES: Readonly<Record<string, number>> = { d: 10, b: 2, o: 8, x: 16, X: 16 };

function numberText(verb: string, value: number, flags: string, precision: number | undefined): string {
  const sign = flags.includes('+') && value >= 0 ? '+' : '';
  const radix = RADIXES[verb];
  if (radix !== undefined) {
    if (!Number.isInteger(value)) return wrong(verb, value);
    const digits = value.toString(radix);
    return sign + (verb === 'X' ? digits.toUpperCase() : digits);
  }
  if (verb === 'c') return String.fromCodePoint(value);
  if (verb === 'U') return `U+${value.toString(16).toUpperCase().padStart(4, '0')}`;
  if (Number.isInteger(value) && 'eEfFgG'.includes(verb) === false) return wrong(verb, value);
  if (verb === 'f' || verb === 'F') return sign + value.toFixed(Math.min(precision ?? 6, 100));
  if (verb === 'e' || verb === 'E') {
    const text = value.toExponential(Math.min(precision ?? 6, 100)).replace(/e([-+])(\d)$/, 'e$10$2');
    return sign + (verb === 'E' ? text.toUpperCase() : text);
  }
  return (
    sign +
    (precision === undefined
      ? goNumber(value)
      : goNumber(Number(value.toPrecision(Math.max(1, Math.min(precision, 100))))))
  );
}

function typeName(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

const wrong = (verb: string, value: unknown): string => `%!${verb}(${typeName(value)}=${goText(value)})`;
