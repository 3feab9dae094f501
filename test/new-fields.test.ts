import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sharingOf } from '../src/apply/derive-sharing.ts';
import { compare } from '../src/apply/difference.ts';
import { fieldSetOf } from '../src/apply/field-set.ts';
import { encodeFields, type FieldsV1 } from '../src/apply/fields-v1.ts';
import { builtInTypes } from '../src/kinds/built-in.ts';
import { Later, MANY_ENTRIES } from '../src/runtime/later.ts';
import { atOnce } from '../src/runtime/pacing.ts';
import { canonicalise } from '../src/schema/derive/canonical.ts';
import type { Node } from '../src/schema/node.ts';
import { vocabularies } from '../src/vocabulary/vocabulary.ts';
import { arbitraryOf } from './arbitrary.ts';

const types = builtInTypes(vocabularies.platform);
const ignored = fieldSetOf('apiVersion', 'kind', 'metadata.name', 'metadata.uid', 'status');

/** What a new object owns as it is recorded, and as a comparison with nothing finds it. */
function ownedFrom(schema: Node, blank: unknown, object: unknown): [written: string, compared: string] {
  const sharing = sharingOf(schema);
  const written: FieldsV1 = {};
  const later = new Later();
  sharing.writeNew(blank, object, ignored, written, later);
  atOnce(later.all());
  const compared = encodeFields(compare(sharing, blank, object).touched.without(ignored));
  return [JSON.stringify(written), JSON.stringify(compared)];
}

describe('what a new object owns, written in one walk', () => {
  it.each(types)('is what a comparison with nothing finds: $group/$version $plural', ({ schema }) => {
    const blank = canonicalise(schema, {}).value;
    const property = fc.property(arbitraryOf(schema), (sent) => {
      const [written, compared] = ownedFrom(schema, blank, canonicalise(schema, sent).value);
      expect(written).toBe(compared);
    });
    fc.assert(property, { numRuns: 15 });
  });

  it('of very many entries as of few', () => {
    const count = 2 * MANY_ENTRIES + 1;
    const numbered = <T>(make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
    const env = numbered((at) => ({ name: `E${at % (count - 3)}`, value: 'x' }));
    const labels = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    const pod = {
      metadata: { name: 'a', labels, finalizers: numbered((at) => `f/${at}`) },
      spec: { containers: numbered((at) => ({ name: `c${at}`, env: at === 7 ? env : [] })) },
    };
    const schema = types.find(({ kind }) => kind === 'Pod')?.schema ?? expect.fail('there are no pods');
    const object = canonicalise(schema, pod).value;
    const [written, compared] = ownedFrom(schema, canonicalise(schema, {}).value, object);
    expect(written).toBe(compared);
  });
});
