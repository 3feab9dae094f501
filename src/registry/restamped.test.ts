import fc from 'fast-check';
import { expect, it } from 'vitest';
import { restampedVersion } from './restamped.ts';

const anyText = fc.oneof(
  fc.string(),
  fc.constantFrom('"resourceVersion":"7"', '"metadata":{"resourceVersion":"7"', '\\"resourceVersion":"', '{', '}', '…'),
);
const labels = fc.dictionary(fc.constantFrom('resourceVersion', 'metadata', 'a'), anyText);
const inner = fc.record({ resourceVersion: fc.constantFrom('7', '77'), text: anyText });
const revision = fc.integer({ min: 1, max: 1_000_000 });

it('bytes with another revision are the same object with that revision, whatever else looks like one', () => {
  fc.assert(
    fc.property(
      anyText,
      fc.boolean(),
      labels,
      inner,
      revision,
      revision,
      (name, isLast, given, spec, before, after) => {
        const versioned = { resourceVersion: String(before) };
        const metadata = isLast
          ? { name, labels: given, ...versioned }
          : { name, uid: 'u', ...versioned, labels: given };
        const object = { kind: 'Thing', apiVersion: 'v1', metadata, spec: { ...spec, metadata: spec } };
        const bytes = Buffer.from(JSON.stringify(object));
        const copy = Buffer.from(bytes);
        const stamped = restampedVersion({ bytes }, after, (length) => Buffer.alloc(length));
        expect(JSON.parse(stamped.toString())).toEqual(
          JSON.parse(JSON.stringify({ ...object, metadata: { ...metadata, resourceVersion: String(after) } })),
        );
        expect(bytes).toEqual(copy);
      },
    ),
    { numRuns: 300 },
  );
});
