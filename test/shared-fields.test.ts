import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sharingOf } from '../src/apply/derive-sharing.ts';
import { compare, ownedFields, ownedFieldsInSteps } from '../src/apply/difference.ts';
import { decodeFields, encodeFields } from '../src/apply/fields-v1.ts';
import type { Sharing } from '../src/apply/sharing.ts';
import { builtInTypes } from '../src/kinds/built-in.ts';
import type { ObjectType } from '../src/registry/resource-type.ts';
import { atOnce } from '../src/runtime/pacing.ts';
import { canonicalise } from '../src/schema/derive/canonical.ts';
import { vocabularyNamed } from '../src/vocabulary/vocabulary.ts';
import { arbitraryOf } from './arbitrary.ts';

const RUNS = 8;

const types = builtInTypes(vocabularyNamed('platform')).map((type) => [`${type.version} ${type.kind}`, type] as const);

const objectsOf = (type: ObjectType): fc.Arbitrary<unknown> =>
  arbitraryOf(type.schema).map((document) => canonicalise(type.schema, document).value);

/** What a client would send: nothing is said to be empty, which would own the place and leave what others have in it. */
function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((item) => filled(item) ?? item);
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  const entries = Object.entries(value).map(([name, held]) => [name, filled(held)]);
  const kept = entries.filter(([, held]) => held !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** A document may name an element only once. */
function hasRepeats(sharing: Sharing, document: unknown): boolean {
  let repeats = 0;
  atOnce(ownedFieldsInSteps(sharing, document, () => repeats++));
  return repeats > 0;
}

describe('of every kind', () => {
  it.each(types)(
    '%s: a document that is applied is then live, and changes nothing when it is applied again',
    (_, type) => {
      const sharing = sharingOf(type.schema);
      const finished = (value: unknown): unknown => canonicalise(type.schema, value).value;
      fc.assert(
        fc.property(objectsOf(type), objectsOf(type), (live, sent) => {
          const document = filled(sent) ?? {};
          fc.pre(!hasRepeats(sharing, document));
          const merged = sharing.merge(live, document);
          for (const levels of [0, 1, 3, 9]) {
            const stepped = atOnce(sharing.mergeInSteps(live, document, levels));
            expect(JSON.stringify(stepped)).toBe(JSON.stringify(merged));
            expect(stepped === live).toBe(merged === live);
          }
          const applied = finished(merged);
          const missing = ownedFields(sharing, document).difference(ownedFields(sharing, applied));
          expect([...missing.paths()]).toEqual([]);
          const again = finished(sharing.merge(applied, document));
          expect(compare(sharing, applied, again).all.isEmpty).toBe(true);
          const owned = ownedFields(sharing, applied);
          expect(decodeFields(encodeFields(owned)).equals(owned)).toBe(true);
          expect(sharing.fitted(owned)).toBe(owned);
        }),
        { numRuns: RUNS },
      );
    },
  );
});
