/** The order of keys in YAML: numbers inside of texts count as numbers, `a2` before `a10`, and letters come last. */
export function compareYamlKeys(a: string, b: string): number {
  const [one, other] = [[...a], [...b]];
  const shared = Math.min(one.length, other.length);
  for (let at = 0; at < shared; at++) {
    const [x = '', y = ''] = [one[at], other[at]];
    if (x !== y) return compareAt(one, other, at, x, y);
  }
  return one.length - other.length;
}

const isLetter = (character: string): boolean => /\p{L}/u.test(character);
const isDigit = (character: string | undefined): boolean => character !== undefined && /\p{Nd}/u.test(character);
const byCode = (x: string, y: string): number => (x.codePointAt(0) ?? 0) - (y.codePointAt(0) ?? 0);

/** Compares two texts that are the same before `at`, where they have `x` and `y`. */
function compareAt(one: readonly string[], other: readonly string[], at: number, x: string, y: string): number {
  if (isLetter(x) && isLetter(y)) return byCode(x, y);
  if (isLetter(x) || isLetter(y)) return isLetter(y) ? -1 : 1;
  // A zero that follows another digit makes the number longer; one that begins it does not.
  const before = x === '0' || y === '0' ? digitsBefore(one, at) : '';
  const [mine, theirs] = [digitsFrom(one, at), digitsFrom(other, at)];
  const start = /[^0]/.test(before) ? '1' : '0';
  const [a, b] = [BigInt(start + mine), BigInt(start + theirs)];
  if (a !== b) return a < b ? -1 : 1;
  return mine.length === theirs.length ? byCode(x, y) : mine.length - theirs.length;
}

function digitsFrom(text: readonly string[], at: number): string {
  let end = at;
  while (end < text.length && isDigit(text[end])) end++;
  return asciiDigits(text.slice(at, end));
}

function digitsBefore(text: readonly string[], at: number): string {
  let start = at;
  while (start > 0 && isDigit(text[start - 1])) start--;
  return asciiDigits(text.slice(start, at));
}

/** Other scripts have digits too, which count by where they stand among the characters. */
const asciiDigits = (digits: readonly string[]): string =>
  digits.map((digit) => (/\d/.test(digit) ? digit : '9')).join('');
