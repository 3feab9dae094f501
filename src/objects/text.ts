/**
 * The text of values that are written again and again. Most changes leave most parts of an object alone; a part that is
 * the very same value as before need not be encoded anew. A text is kept as long as its value is.
 */
const texts = new WeakMap<object, string>();

/** The JSON of a value, which is kept with it. */
export function textOf(value: object): string {
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value);
  texts.set(value, text);
  return text;
}

export const hasText = (value: object): boolean => texts.has(value);
