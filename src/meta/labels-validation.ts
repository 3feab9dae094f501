import type { Path } from '../schema/path.ts';
import type { Problems } from '../schema/problems.ts';
import { labelValue, qualifiedName } from './formats.ts';

type Pairs = Readonly<Record<string, string>> | null | undefined;

/** Label keys and values. Problems are noted at the map itself, as clients know it. */
export function validateLabels(labels: Pairs, path: Path | string, problems: Problems): void {
  if (!labels) return;
  for (const key in labels) {
    const value = labels[key] ?? '';
    const keyProblem = qualifiedName(key);
    if (keyProblem !== undefined) problems.invalid(path, key, keyProblem);
    const valueProblem = labelValue(value);
    if (valueProblem !== undefined) problems.invalid(path, value, valueProblem);
  }
}

/** The size of all annotations of an object together. */
export const LARGEST_ANNOTATIONS = 256 * 1024;

export function sizeOfAnnotations(annotations: Readonly<Record<string, string>>): number {
  let size = 0;
  for (const key in annotations) size += Buffer.byteLength(key) + Buffer.byteLength(annotations[key] ?? '');
  return size;
}

/** Annotation keys, whose case does not matter, and the size of all annotations together. */
export function validateAnnotations(annotations: Pairs, path: Path | string, problems: Problems): void {
  if (!annotations) return;
  for (const key in annotations) {
    const problem = qualifiedName(key.toLowerCase());
    if (problem !== undefined) problems.invalid(path, key, problem);
  }
  if (sizeOfAnnotations(annotations) > LARGEST_ANNOTATIONS) problems.tooLong(path, LARGEST_ANNOTATIONS);
}
