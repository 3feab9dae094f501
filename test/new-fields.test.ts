import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sharingOf } from '../src/apply/derive-sharing.ts';
import { compare } from '../src/apply/difference.ts';
import { fieldSetOf } from '../src/apply/field-set.ts';
import { encodeFields, type FieldsV1 } from '../src/apply/fields-v1.ts';
import { builtInTypes } from '../src/kinds/built-in.ts';
import { canonicalise } from '../src/schema/derive/canonical.ts';
import { vocabularies } from '../src/vocabulary/vocabulary.ts';
import { arbitraryOf } from './arbitrary.ts';

const types = builtInTypes(vocabularies.platform);
const ignored = fieldSetOf('apiVersion', 'kind', 'metadata.name', 'metadata.uid', 'status');

describe('what a new object owns, written in one walk', () => {
  it.each(types)('is what a comparison with nothing finds: $group/$version $plural', ({ schema }) => {
    const sharing = sharingOf(schema);
    const blank = canonicalise(schema, {}).value;
    const property = fc.property(arbitraryOf(schema), (sent) => {
      const object = canonicalise(schema, sent).value;
      const written: FieldsV1 = {};
      sharing.writeNew(blank, object, ignored, written);
      const compared = encodeFields(compare(sharing, blank, object).touched.without(ignored));
      expect(JSON.stringify(written)).toBe(JSON.stringify(compared));
    });
    fc.assert(property, { numRuns: 15 });
  });
});
