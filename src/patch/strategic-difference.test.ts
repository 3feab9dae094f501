import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MergePlan } from '../schema/derive/merge-plan.ts';
import { mergePatch } from './merge-patch.ts';
import { threeWayDifference, twoWayDifference } from './strategic-difference.ts';
import type { JsonObject } from './strategic-directives.ts';
import { strategicMerge } from './strategic-merge.ts';

const leaf: MergePlan = { topology: {}, item: undefined, field: () => undefined };

const struct = (fields: Readonly<Record<string, MergePlan>>, topology: MergePlan['topology'] = {}): MergePlan => ({
  topology,
  item: undefined,
  field: (name) => fields[name],
});

const container = struct({ name: leaf, image: leaf });
const plan = struct({
  containers: { topology: { patchStrategy: ['merge'], mergeKey: 'name' }, item: container, field: () => undefined },
  finalizers: { topology: { patchStrategy: ['merge'] }, item: leaf, field: () => undefined },
  strategy: struct({ type: leaf, rollingUpdate: leaf }, { patchStrategy: ['retainKeys'] }),
  other: leaf,
});

/** What becomes of `current`. */
const merged = (before: JsonObject, wanted: JsonObject, current: JsonObject): JsonObject =>
  strategicMerge(current, threeWayDifference(before, wanted, current, plan), plan);

describe('the difference of three documents', () => {
  it('is empty when everything is as it is wanted', () => {
    const document = { containers: [{ name: 'a', image: 'x' }], finalizers: ['f'], other: 1 };
    expect(threeWayDifference(document, document, document, plan)).toEqual({});
  });

  it('removes what was wanted before and is not any more', () => {
    expect(merged({ other: 1 }, {}, { other: 1, theirs: 2 })).toEqual({ theirs: 2 });
  });

  it('keeps elements of lists that others have added, and removes those that were wanted before', () => {
    const before = { containers: [{ name: 'a' }, { name: 'b' }] };
    const wanted = { containers: [{ name: 'b', image: 'new' }, { name: 'c' }] };
    const current = { containers: [{ name: 'a' }, { name: 'b', theirs: 1 }, { name: 'theirs' }] };
    const { containers } = merged(before, wanted, current) as { containers: { name: string }[] };
    expect(containers.map(({ name }) => name).sort()).toEqual(['b', 'c', 'theirs']);
    expect(containers).toContainEqual({ name: 'b', image: 'new', theirs: 1 });
  });

  it('adds to and takes from lists of values', () => {
    expect(
      merged({ finalizers: ['a', 'b'] }, { finalizers: ['b', 'c'] }, { finalizers: ['a', 'b', 'theirs'] }),
    ).toEqual({
      finalizers: expect.arrayContaining(['b', 'c', 'theirs']),
    });
  });

  it('keeps no fields of another kind of strategy', () => {
    const current = { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } };
    expect(merged({}, { strategy: { type: 'Recreate' } }, current)).toEqual({ strategy: { type: 'Recreate' } });
  });

  it('takes null for the wish that a field is not there', () => {
    expect(merged({}, { other: null }, { other: 1 })).toEqual({});
  });

  it('sets lists whose elements cannot be told apart all together', () => {
    const wanted = {
      containers: [
        { name: 'a', image: 'x' },
        { name: 'a', image: 'y' },
      ],
    };
    expect(merged({}, wanted, { containers: [{ name: 'a' }, { name: 'theirs' }] })).toEqual(wanted);
  });
});

const name = fc.constantFrom('a', 'b', 'c', 'd');
const documents = fc.record(
  {
    containers: fc.uniqueArray(fc.record({ name, image: fc.constantFrom('x', 'y') }), { selector: (one) => one.name }),
    finalizers: fc.uniqueArray(name),
    strategy: fc.record({ type: name, rollingUpdate: fc.dictionary(name, fc.integer()) }, { requiredKeys: [] }),
    other: fc.oneof(fc.integer(), fc.dictionary(name, fc.integer()), fc.array(fc.integer())),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

/** Lists that merge by key are compared without their order, which others have a say in. */
const unordered = (document: JsonObject): JsonObject => ({
  ...document,
  containers: [...((document.containers ?? []) as { name: string }[])].sort((a, b) => (a.name < b.name ? -1 : 1)),
  finalizers: [...((document.finalizers ?? []) as string[])].sort(),
});

describe('the difference of two documents', () => {
  it('makes one the other, merged by key', () => {
    fc.assert(
      fc.property(documents, documents, (from, to) => {
        expect(unordered(strategicMerge(from, twoWayDifference(from, to, plan), plan))).toEqual(unordered(to));
      }),
    );
  });

  it('makes one the other as a JSON merge patch where there is no plan', () => {
    fc.assert(
      fc.property(documents, documents, (from, to) => {
        expect(mergePatch(from, twoWayDifference(from, to, undefined))).toEqual(to);
      }),
    );
  });

  it('is empty after it was applied', () => {
    fc.assert(
      fc.property(documents, documents, documents, (before, wanted, current) => {
        const after = merged(before, wanted, current);
        expect(threeWayDifference(before, wanted, after, plan)).toEqual({});
      }),
    );
  });
});
