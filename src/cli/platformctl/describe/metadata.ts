import type { ObjectMeta } from '../../../meta/object-meta.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import type { Sheet } from './sheet.ts';
import { sortedEntries } from './texts.ts';

type TextMap = Readonly<Record<string, string>> | null | undefined;

/** Longer ones have lines of their own. */
const LONGEST = 140;

export const keyValues = (map: TextMap): string[] => sortedEntries(map).map(([key, value]) => `${key}=${value}`);

export const writeLabels = (sheet: Sheet, labels: TextMap, name = 'Labels', level = 0): void =>
  sheet.values(name, keyValues(labels), level);

/** Annotations, without the one that repeats the whole object. */
export function writeAnnotations(sheet: Sheet, annotations: TextMap, vocabulary: Vocabulary, level = 0): void {
  const skipped = vocabulary.annotations.lastAppliedConfiguration;
  const shown = sortedEntries(annotations)
    .filter(([key]) => key !== skipped)
    .flatMap(([key, value]) => annotationLines(key, value.replace(/\n$/, '')));
  sheet.values('Annotations', shown, level);
}

function annotationLines(key: string, value: string): string[] {
  const isShort = Buffer.byteLength(key) + Buffer.byteLength(value) + 2 <= LONGEST;
  if (isShort && !value.includes('\n')) return [`${key}: ${value}`];
  return [`${key}:`, ...value.split('\n').map((line) => `  ${shortened(line, LONGEST - 2)}`)];
}

export function shortened(text: string, bytes: number): string {
  const whole = Buffer.from(text);
  return whole.length > bytes ? `${whole.subarray(0, bytes).toString()}...` : text;
}

/** Name, namespace, labels and annotations, with which most descriptions begin. */
export function writeIdentity(sheet: Sheet, metadata: ObjectMeta, vocabulary: Vocabulary): void {
  sheet.field('Name', metadata.name ?? '');
  sheet.field('Namespace', metadata.namespace ?? '');
  writeLabels(sheet, metadata.labels);
  writeAnnotations(sheet, metadata.annotations, vocabulary);
}

/** As `writeIdentity`, for what is in no namespace, or does not tell. */
export function writeClusterIdentity(sheet: Sheet, metadata: ObjectMeta, vocabulary: Vocabulary): void {
  sheet.field('Name', metadata.name ?? '');
  writeLabels(sheet, metadata.labels);
  writeAnnotations(sheet, metadata.annotations, vocabulary);
}
