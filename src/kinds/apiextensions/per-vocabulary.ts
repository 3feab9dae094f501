import type { Vocabulary } from '../../vocabulary/vocabulary.ts';

/** For declarations whose field names depend on the vocabulary: made on first use, then the same one each time. */
export function perVocabulary<T>(declare: (vocabulary: Vocabulary) => T): (vocabulary: Vocabulary) => T {
  const declared = new Map<Vocabulary, T>();
  return (vocabulary) => {
    const made = declared.get(vocabulary) ?? declare(vocabulary);
    declared.set(vocabulary, made);
    return made;
  };
}
