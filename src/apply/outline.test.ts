import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Later } from '../runtime/later.ts';
import { isObject, type JsonObject, setOwn } from '../schema/json-object.ts';
import { sharingOf } from './derive-sharing.ts';
import { FieldSet, fieldSetOf } from './field-set.ts';
import type { FieldsV1 } from './fields-v1.ts';
import { type Outline, OutlineBudget } from './outline.ts';
import { outlineOfEntry } from './sharing.ts';
import { Thing } from './test-object.ts';

const few = { maxLength: 2 };
const name = fc.constantFrom('a', 'b', '__proto__');
const probe = fc.record({ path: name, period: fc.nat(1) }, { requiredKeys: [] });
const tags = fc.array(name, few);
const part = fc.record({ name, size: fc.nat(1), tags, probe }, { requiredKeys: ['name'] });
const port = fc.record(
  { port: fc.nat(1), protocol: fc.constantFrom('TCP', 'UDP'), title: name },
  { requiredKeys: ['port'] },
);
const names = fc.dictionary(name, name, { maxKeys: 2, noNullPrototype: true });
const thing = fc.record(
  {
    ...{ labels: names, replicas: fc.option(fc.nat(1)), parts: fc.array(part, few), ports: fc.array(port, few) },
    ...{ colours: fc.option(tags), steps: tags, limits: names, probe: fc.option(probe) },
  },
  { requiredKeys: [] },
);

const BLANKS = [undefined, {}, { labels: {}, replicas: 1, probe: {}, parts: null, limits: {}, colours: null }];
const IGNORED = [FieldSet.EMPTY, fieldSetOf('replicas', 'probe.path'), fieldSetOf('labels.a', 'parts', 'limits')];
const surroundings = fc.record({ blank: fc.constantFrom(...BLANKS), ignored: fc.constantFrom(...IGNORED) });
type Surroundings = typeof surroundings extends fc.Arbitrary<infer Known> ? Known : never;

const sharing = sharingOf(Thing);

function recorded(value: unknown, { blank, ignored }: Surroundings): [isAny: boolean, fields: FieldsV1] {
  const fields: FieldsV1 = {};
  return [sharing.writeNew(blank, value, ignored, fields, new Later()), fields];
}

const outlineOf = (value: unknown, { blank, ignored }: Surroundings): Outline | undefined =>
  outlineOfEntry(sharing, blank, value, ignored, new OutlineBudget());

/** Much the same, here and there not. */
function varied(value: unknown, choose: () => number): unknown {
  if (Array.isArray(value)) return value.flatMap((item) => (choose() === 0 ? [] : [varied(item, choose)]));
  if (isObject(value)) {
    const result: JsonObject = {};
    for (const [key, inside] of Object.entries(value)) if (choose() > 0) setOwn(result, key, varied(inside, choose));
    return result;
  }
  if (choose() > 2) return value;
  return typeof value === 'string' ? `${value}a` : typeof value === 'number' ? value + 1 : {};
}

describe('the outline of a new value', () => {
  it('is fitted only by values of which the same is recorded', () => {
    let [fitted, unfitted] = [0, 0];
    fc.assert(
      fc.property(thing, fc.infiniteStream(fc.nat(9)), surroundings, (first, choices, around) => {
        const outline = outlineOf(first, around);
        for (let at = 0; at < 20; at++) {
          const other = varied(first, () => choices.next().value ?? 0);
          if (outline?.fits(other)) fitted++;
          else unfitted++;
          if (outline?.fits(other)) expect(recorded(other, around)).toEqual(recorded(first, around));
        }
      }),
      { numRuns: 500 },
    );
    expect(Math.min(fitted, unfitted)).toBeGreaterThan(500);
  });

  it('is fitted by the value itself, and by one that says something else in the same places', () => {
    const value = { labels: { a: 'x' }, replicas: 1, parts: [{ name: 'a', size: 1, tags: ['t'] }], steps: ['one'] };
    const other = { labels: { a: 'y' }, replicas: 2, parts: [{ name: 'a', size: 3, tags: ['t'] }], steps: [] };
    const outline = outlineOf(value, { blank: {}, ignored: FieldSet.EMPTY });
    expect([value, other].map((one) => outline?.fits(one))).toEqual([true, true]);
  });

  it.each([
    ['a name', { labels: { b: 'x' } }],
    ['a field more', { labels: { a: 'x', b: 'x' } }],
    ['a field less', { labels: {} }],
    ['a key', { labels: { a: 'x' }, parts: [{ name: 'b' }] }],
    ['an item more', { labels: { a: 'x' }, parts: [{ name: 'a' }, { name: 'b' }] }],
    ['a value for a list', { labels: { a: 'x' }, parts: null }],
    ['a value that is not there', { labels: { a: 'x' }, parts: undefined }],
  ])('is not fitted by one that has another form: %s', (_, other) => {
    const outline = outlineOf({ labels: { a: 'x' }, parts: [{ name: 'a' }] }, { blank: {}, ignored: FieldSet.EMPTY });
    expect(outline?.fits(other)).toBe(false);
  });

  it('is not drawn of a list that has an item twice, nor of anything large', () => {
    const around = { blank: {}, ignored: FieldSet.EMPTY };
    expect(outlineOf({ parts: [{ name: 'a' }, { name: 'a' }] }, around)).toBeUndefined();
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (__, at) => [`name-${at}`, 'x']));
    expect(outlineOf({ labels: many }, around)).toBeUndefined();
    expect(outlineOf({ labels: { ['x'.repeat(OutlineBudget.BYTES)]: '' } }, around)).toBeUndefined();
  });
});
