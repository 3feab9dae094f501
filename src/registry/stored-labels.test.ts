import fc from 'fast-check';
import { expect, it } from 'vitest';
import { storedLabels } from './stored-labels.ts';

const word = fc.stringMatching(/^[a-z0-9]([-a-z0-9_.]{0,20}[a-z0-9])?$/);
const labels = fc.dictionary(
  fc.oneof(
    word,
    fc.tuple(word, word).map((parts) => parts.join('/')),
  ),
  fc.oneof(word, fc.constant('')),
  {
    maxKeys: 6,
  },
);
/** Texts that try to look like what is searched for. */
const anyText = fc.oneof(fc.string(), fc.constantFrom('"labels":{', '\\"labels\\":{"a":"b"}', '},{', '"', '\\'));

const metadata = fc.record(
  {
    name: word,
    generateName: anyText,
    uid: fc.uuid(),
    resourceVersion: fc.nat().map(String),
    generation: fc.nat(),
    creationTimestamp: fc.constantFrom(null, '2024-05-01T10:00:00Z'),
    labels,
    annotations: fc.dictionary(anyText, anyText, { maxKeys: 3 }),
    finalizers: fc.array(anyText, { maxLength: 2 }),
  },
  { requiredKeys: ['name'] },
);

it('labels read off the bytes are those that parsing gives, whatever else the object says', () => {
  let clear = 0;
  fc.assert(
    fc.property(metadata, anyText, labels, (given, text, others) => {
      const object = { kind: 'Thing', apiVersion: 'v1', metadata: given, spec: { text, metadata: { labels: others } } };
      const read = storedLabels(Buffer.from(JSON.stringify(object)));
      if (read === 'unclear') return;
      clear++;
      expect(read).toEqual(given.labels);
    }),
    { numRuns: 2000 },
  );
  expect(clear).toBeGreaterThan(500);
});

it('labels of common objects are clear', () => {
  const object = { kind: 'Thing', apiVersion: 'v1', metadata: { name: 'a', labels: { app: 'x' } }, data: { a: 'b' } };
  expect(storedLabels(Buffer.from(JSON.stringify(object)))).toEqual({ app: 'x' });
  expect(storedLabels(Buffer.from('{"kind":"Thing","metadata":{"name":"a"},"data":{"labels":{}}}'))).toBeUndefined();
});
