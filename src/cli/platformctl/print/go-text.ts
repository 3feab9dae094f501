import { compareCodePoints } from './json-text.ts';

/** A value as templates of this kind print it: `map[a:1 b:[x y]]`. */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'number') return goNumber(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  const fields = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(fields).sort(compareCodePoints);
  return `map[${keys.map((key) => `${key}:${goText(fields[key])}`).join(' ')}]`;
}

/** Exponents have two digits at least. */
export function goNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return String(value);
  const power = Number(value.toExponential().split('e')[1]);
  if (power >= -4 && power < 21) return String(value);
  return value.toExponential().replace(/e([-+])(\d)$/, 'e$10$2');
}
