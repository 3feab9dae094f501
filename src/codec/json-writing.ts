import type { Steps } from '../runtime/pacing.ts';

/** Items of a list that are written in one call. */
const STEP_ITEMS = 500;
/** Lists and objects with no more parts are written part by part. */
const FEW_PARTS = 100;
/** As deep as the parts of an object that can be large lie: labels, data, what is recorded of each owner. */
const DEEPEST_PART = 5;

/**
 * As `JSON.stringify` of a value of JSON, in steps. A document has so many values at most that one call takes some 25 ms; in
 * its parts, which objects have by their kind, it takes as long for each of them alone. Nothing is counted: to find out how
 * many entries a large map has takes as long as to write it.
 */
export const jsonInSteps = (value: object): Steps<string> => writePart(value, DEEPEST_PART);

function* writePart(value: object, depth: number): Steps<string> {
  if (Array.isArray(value)) return yield* writeList(value, depth);
  const parts = depth > 0 ? Object.entries(value) : [];
  if (parts.length === 0 || parts.length > FEW_PARTS) {
    yield;
    return JSON.stringify(value);
  }
  let text = '';
  for (const [name, part] of parts) {
    if (part === undefined) continue;
    const written = isPlain(part) ? JSON.stringify(part) : yield* writePart(part, depth - 1);
    text += `${text === '' ? '{' : ','}${JSON.stringify(name)}:${written}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

function* writeList(list: readonly unknown[], depth: number): Steps<string> {
  let text = '';
  if (list.length <= FEW_PARTS && depth > 0) {
    for (const item of list) {
      const written = isPlain(item) ? JSON.stringify(item ?? null) : yield* writePart(item, depth - 1);
      text += `${text === '' ? '[' : ','}${written}`;
    }
  } else {
    for (let at = 0; at < list.length; at += STEP_ITEMS) {
      yield;
      text += `${text === '' ? '[' : ','}${JSON.stringify(list.slice(at, at + STEP_ITEMS)).slice(1, -1)}`;
    }
  }
  return text === '' ? '[]' : `${text}]`;
}

const isPlain = (value: unknown): value is string | number | boolean | null | undefined =>
  typeof value !== 'object' || value === null;
