import fc from 'fast-check';
import { expect, it } from 'vitest';
import { builtInTypes } from '../kinds/built-in.ts';
import { atRevision, seal, sealNew } from '../objects/seal.ts';
import { systemRuntime } from '../runtime/runtime.ts';
import { stamp } from '../storage/backend.ts';
import { vocabularies } from '../vocabulary/vocabulary.ts';
import { Encoder, parseObject } from './encoding.ts';
import { readObject } from './incoming.ts';
import type { ApiObject, ResourceType } from './resource-type.ts';

const types = builtInTypes(vocabularies.platform);
const typeOf = (kind: string): ResourceType => {
  const found = types.find((type) => type.kind === kind && type.group === '');
  if (!found) throw new Error(`there is no ${kind}`);
  return found;
};

const text = fc.string({ unit: 'grapheme', maxLength: 4 });
const words = fc.dictionary(fc.constantFrom('a', 'b', '__proto__', '1'), text, { noNullPrototype: true });
const owner = fc.record({
  manager: text,
  operation: fc.constant('Update'),
  fieldsV1: fc.constantFrom({ 'f:data': {} }),
});
const metadata = fc.record(
  { name: fc.constant('x'), labels: words, managedFields: fc.array(owner) },
  { requiredKeys: [] },
);
const pod = fc.record({
  metadata,
  spec: fc.record({ containers: fc.array(fc.record({ name: text, image: text })), nodeSelector: words }),
  status: fc.record({ phase: text, conditions: fc.array(fc.record({ type: text, status: text })) }),
});
const configMap = fc.record({ metadata, data: words, binaryData: fc.constant({}), immutable: fc.boolean() });

/** Each state of an object is sealed and encoded beside the one before it. */
const property = (kind: string, states: fc.Arbitrary<object[]>) =>
  fc.property(states, (documents) => {
    const [type, encoder] = [typeOf(kind), new Encoder(systemRuntime)];
    let before: ApiObject | undefined;
    for (const [at, document] of documents.entries()) {
      const alone = sealNew(type.schema, readObject(type, document));
      const plain = stamp(encoder.encode(alone, false), at + 1);
      expect(JSON.parse(plain.toString())).toEqual(JSON.parse(JSON.stringify(atRevision(alone, at + 1))));
      before ??= parseObject(plain);
      const draft = readObject(type, document);
      draft.metadata.resourceVersion = before.metadata.resourceVersion ?? '';
      const sealed = seal(type.schema, draft, before);
      expect(stamp(encoder.encode(sealed, true), at + 1).toString()).toBe(plain.toString());
      // Identity is the one test of "unchanged".
      expect(sealed === before).toBe(JSON.stringify(sealed) === JSON.stringify(before));
      before = atRevision(sealed, at + 1);
    }
  });

it.each<[string, fc.Arbitrary<{ metadata: object }>]>([
  ['Pod', pod],
  ['ConfigMap', configMap],
])('the text of a %s is the same whether or not its parts are known', (kind, state) => {
  const states = fc.array(state, { minLength: 1, maxLength: 2 }).chain((some) =>
    // Parts recur, as they do in versions of an object.
    fc.array(fc.tuple(fc.constantFrom(...some), fc.constantFrom(...some)), { minLength: 2, maxLength: 5 }),
  );
  fc.assert(
    property(
      kind,
      states.map((pairs) => pairs.map(([one, other]) => ({ ...one, metadata: other.metadata }))),
    ),
  );
});
