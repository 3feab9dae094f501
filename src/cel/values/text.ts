/** Texts are counted and indexed in code points, while JS counts UTF-16 units: the two differ where a surrogate is. */
const SURROGATE = /[\ud800-\udfff]/;

export const hasSurrogates = (text: string): boolean => SURROGATE.test(text);

export function codePointCount(text: string): number {
  if (!hasSurrogates(text)) return text.length;
  let count = text.length;
  for (let at = 0; at + 1 < text.length; at++) {
    if ((text.codePointAt(at) ?? 0) > 0xffff) {
      count--;
      at++;
    }
  }
  return count;
}

/** The offset in units of the code point `index`; undefined beyond the end. */
export function unitOffset(text: string, index: number): number | undefined {
  if (index < 0 || index > text.length) return undefined;
  if (!hasSurrogates(text)) return index;
  let at = 0;
  for (let left = index; left > 0; left--) {
    if (at >= text.length) return undefined;
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return at;
}

/** Negative, zero or positive, by code points. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  if (!hasSurrogates(a) && !hasSurrogates(b)) return a < b ? -1 : 1;
  return Buffer.compare(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'));
}
