import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import { compactJsonText } from '../print/json-text.ts';
import type { KeyOrder } from '../print/printable.ts';

interface Annotated {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}

/** The annotation that remembers what was written when an object was applied by a client. */
export const lastAppliedKey = (vocabulary: Vocabulary): string =>
  `${vocabulary.prefixes.ctlAnnotation}last-applied-configuration`;

/** What an object remembers of what was applied last; undefined where it remembers nothing. */
export function lastApplied(object: unknown, vocabulary: Vocabulary): string | undefined {
  return (object as Partial<Annotated>).metadata?.annotations?.[lastAppliedKey(vocabulary)];
}

/** The text that is remembered of an object: all of it, but for what it remembers itself. */
export function lastAppliedText(object: object, vocabulary: Vocabulary, keys: KeyOrder = 'sorted'): string {
  const { metadata = {} } = object as Partial<Annotated>;
  const { [lastAppliedKey(vocabulary)]: _, ...annotations } = metadata.annotations ?? {};
  const isBare = keys === 'given' && Object.keys(annotations).length === 0;
  const plain = { ...object, metadata: { ...metadata, ...(isBare ? {} : { annotations }) } };
  if (isBare) delete (plain.metadata as { annotations?: unknown }).annotations;
  return `${compactJsonText(plain, keys)}\n`;
}

/** The object, remembering what it is. */
export function withLastApplied<T extends object>(object: T, vocabulary: Vocabulary, keys: KeyOrder = 'sorted'): T {
  const { metadata = {} } = object as Partial<Annotated>;
  const text = lastAppliedText(object, vocabulary, keys);
  const annotations = { ...metadata.annotations, [lastAppliedKey(vocabulary)]: text };
  return { ...object, metadata: { ...metadata, annotations } };
}
