import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalise } from '../schema/derive/canonical.ts';
import { type MergePlan, mergePlan } from '../schema/derive/merge-plan.ts';
import { isObject } from '../schema/json-object.ts';
import { int32, string } from '../schema/scalars.ts';
import { f, list, map, struct } from '../schema/schema.ts';
import { type JsonObject, StrategicPatchError } from './strategic-directives.ts';
import { strategicMerge } from './strategic-merge.ts';

const Port = struct('test.Port', { port: f(1, int32()), title: f(2, string()) });
const Strategy = struct('test.Strategy', { type: f(1, string()), limit: f(2, string()), pace: f(3, int32()) });
const Part = struct('test.Part', {
  name: f(1, string()),
  image: f(2, string()),
  args: f(3, list(string())),
  ports: f(4, list(Port).mergeBy('port')),
});
const Thing = struct('test.Thing', {
  labels: f(1, map(string())),
  parts: f(2, list(Part).mergeBy('name')),
  finalizers: f(3, list(string()).mergeBy()),
  steps: f(4, list(string())),
  strategy: f(5, Strategy.optional().patchStrategy('retainKeys')),
  whole: f(6, Strategy.optional().patchStrategy('replace')),
});

const plan = mergePlan(Thing);
const merged = (original: JsonObject, patch: JsonObject): JsonObject => strategicMerge(original, patch, plan);

describe('a strategic patch', () => {
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['merges maps', { labels: { a: '1', b: '1' } }, { labels: { a: '2', b: null } }, { labels: { a: '2' } }],
    ['replaces lists without a key', { steps: ['a', 'b'] }, { steps: ['c'] }, { steps: ['c'] }],
    [
      'merges elements by their key',
      {
        parts: [
          { name: 'a', image: '1' },
          { name: 'b', image: '1', args: ['x'] },
        ],
      },
      { parts: [{ name: 'b', image: '2' }] },
      {
        parts: [
          { name: 'a', image: '1' },
          { name: 'b', image: '2', args: ['x'] },
        ],
      },
    ],
    [
      'puts new elements first',
      { parts: [{ name: 'a' }] },
      { parts: [{ name: 'b' }] },
      { parts: [{ name: 'b' }, { name: 'a' }] },
    ],
    [
      'merges lists inside elements',
      { parts: [{ name: 'a', ports: [{ port: 1, title: 'x' }] }] },
      { parts: [{ name: 'a', ports: [{ port: 2 }, { port: 1, title: 'y' }] }] },
      { parts: [{ name: 'a', ports: [{ port: 2 }, { port: 1, title: 'y' }] }] },
    ],
    [
      'deletes an element',
      { parts: [{ name: 'a' }, { name: 'b' }] },
      { parts: [{ name: 'a', $patch: 'delete' }] },
      { parts: [{ name: 'b' }] },
    ],
    [
      'replaces an element list',
      { parts: [{ name: 'a' }, { name: 'b' }] },
      { parts: [{ $patch: 'replace' }, { name: 'c' }] },
      { parts: [{ name: 'c' }] },
    ],
    ['replaces a map', { labels: { a: '1' } }, { labels: { $patch: 'replace', b: '2' } }, { labels: { b: '2' } }],
    ['empties a map', { labels: { a: '1' } }, { labels: { $patch: 'delete' } }, { labels: {} }],
    [
      'sets an order',
      { parts: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
      { '$setElementOrder/parts': [{ name: 'c' }, { name: 'a' }, { name: 'b' }] },
      { parts: [{ name: 'c' }, { name: 'a' }, { name: 'b' }] },
    ],
    [
      'sets an order of what it changes',
      { parts: [{ name: 'a' }, { name: 'b' }] },
      { '$setElementOrder/parts': [{ name: 'b' }, { name: 'c' }, { name: 'a' }], parts: [{ name: 'c' }] },
      { parts: [{ name: 'b' }, { name: 'c' }, { name: 'a' }] },
    ],
    [
      'takes values from a list of values',
      { finalizers: ['a', 'b', 'c'] },
      { '$deleteFromPrimitiveList/finalizers': ['b'] },
      { finalizers: ['a', 'c'] },
    ],
    [
      'retains only the keys it names',
      { strategy: { type: 'x', limit: '1', pace: 2 } },
      { strategy: { $retainKeys: ['type'], type: 'y' } },
      { strategy: { type: 'y' } },
    ],
    [
      'replaces what is declared to be replaced',
      { whole: { type: 'x', limit: '1' } },
      { whole: { type: 'y' } },
      { whole: { type: 'y' } },
    ],
    ['leaves no directives behind', {}, { labels: { $patch: 'merge', a: '1' } }, { labels: { a: '1' } }],
    [
      'leaves no directives behind in new elements',
      {},
      { parts: [{ name: 'a', '$setElementOrder/ports': [{ port: 1 }], ports: [{ port: 1 }] }] },
      { parts: [{ name: 'a', ports: [{ port: 1 }] }] },
    ],
    [
      'deletes nothing that is not there',
      { steps: ['a'] },
      { parts: [{ name: 'a', $patch: 'delete' }] },
      { steps: ['a'], parts: [] },
    ],
  ])('%s', (_says, original, patch, result) => {
    expect(merged(original, patch)).toEqual(result);
  });

  it.each<[string, JsonObject, JsonObject, string]>([
    ['an element without its key', { parts: [{ name: 'a' }] }, { parts: [{ image: 'x' }] }, 'merge key: name'],
    ['an element that is no object', { parts: [{ name: 'a' }] }, { parts: ['a'] }, 'must be objects'],
    ['a directive nobody knows', { labels: {} }, { labels: { $patch: 'sing' } }, 'unknown patch directive "sing"'],
    ['an order that is no list', { parts: [] }, { '$setElementOrder/parts': 'a' }, 'must be a list'],
    ['a key that is not retained', { strategy: {} }, { strategy: { $retainKeys: ['type'], pace: 1 } }, '"pace"'],
  ])('fails on %s', (_says, original, patch, message) => {
    expect(() => merged(original, patch)).toThrow(StrategicPatchError);
    expect(() => merged(original, patch)).toThrow(message);
  });

  it('finds the elements of long lists by their keys', () => {
    const parts = (count: number, image: string) =>
      Array.from({ length: count }, (_, at) => ({ name: `p${at}`, image }));
    const result = merged({ parts: parts(40_000, '1') }, { parts: parts(40_000, '2').toReversed() });
    expect(result.parts).toEqual(parts(40_000, '2').toReversed());
    const names = Array.from({ length: 40_000 }, (_, at) => `f${at}`);
    expect(merged({ finalizers: names }, { '$deleteFromPrimitiveList/finalizers': names.slice(1) })).toEqual({
      finalizers: ['f0'],
    });
    const keys = Object.fromEntries(names.map((name) => [name, 1]));
    expect(merged({}, { strategy: { $retainKeys: names, ...keys } })).toEqual({ strategy: keys });
  });

  it('merges only into the first of several elements of a key', () => {
    const twice = [
      { name: 'a', image: '1' },
      { name: 'a', image: '2' },
    ];
    expect(merged({ parts: twice }, { parts: [{ name: 'a', image: '3' }] })).toEqual({
      parts: [
        { name: 'a', image: '3' },
        { name: 'a', image: '2' },
      ],
    });
  });

  it('made from two objects turns one into the other', () => {
    fc.assert(
      fc.property(thing, thing, (from, to) => {
        const patch = patchBetween(from, to, plan);
        expect(canonical(merged(from, patch))).toEqual(canonical(to));
      }),
      { numRuns: 1000 },
    );
  });

  it('changes neither the object nor itself, and nothing the second time', () => {
    fc.assert(
      fc.property(thing, thing, (from, to) => {
        const patch = patchBetween(from, to, plan);
        const before = JSON.stringify([from, patch]);
        const once = merged(from, patch);
        expect(JSON.stringify([from, patch])).toBe(before);
        expect(canonical(merged(once, patch))).toEqual(canonical(once));
      }),
    );
  });
});

const canonical = (object: unknown): unknown => canonicalise(Thing, object).value;

const text = fc.constantFrom('a', 'b', 'c', 'd');
const port = fc.record({ port: fc.integer({ min: 1, max: 4 }), title: text }, { requiredKeys: ['port'] });
const part = fc.record(
  {
    name: text,
    image: text,
    args: fc.array(text, { maxLength: 2 }),
    ports: fc.uniqueArray(port, { maxLength: 4, selector: (item) => item.port }),
  },
  { requiredKeys: ['name'] },
);
const strategy = fc.record({ type: text, limit: text, pace: fc.integer({ min: 1, max: 3 }) }, { requiredKeys: [] });
const thing: fc.Arbitrary<JsonObject> = fc.record(
  {
    labels: fc.dictionary(text, text, { noNullPrototype: true }),
    parts: fc.uniqueArray(part, { maxLength: 4, selector: (item) => item.name }),
    finalizers: fc.uniqueArray(text),
    steps: fc.array(text, { maxLength: 3 }),
    strategy,
    whole: strategy,
  },
  { requiredKeys: [] },
);

/** The patch by which a client would make one object of another. */
function patchBetween(from: JsonObject, to: JsonObject, at: MergePlan | undefined): JsonObject {
  const patch: JsonObject = {};
  for (const key of Object.keys(from)) if (to[key] === undefined) patch[key] = null;
  for (const [key, wanted] of Object.entries(to)) {
    const [held, below] = [from[key], at?.field(key)];
    if (JSON.stringify(held) === JSON.stringify(wanted)) continue;
    const strategies = below?.topology.patchStrategy ?? [];
    if (Array.isArray(wanted) && Array.isArray(held) && strategies.includes('merge')) {
      Object.assign(patch, listPatch(key, held, wanted, below));
    } else if (isObject(wanted) && isObject(held) && !strategies.includes('replace')) {
      const inner = patchBetween(held, wanted, below);
      patch[key] = strategies.includes('retainKeys')
        ? { $retainKeys: Object.keys(wanted), ...withoutNulls(inner) }
        : inner;
    } else patch[key] = wanted;
  }
  return patch;
}

const withoutNulls = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));

/** How the elements of a list changed, which are gone, and the order in which they are to stand. */
function listPatch(key: string, held: unknown[], wanted: unknown[], at: MergePlan | undefined): JsonObject {
  const mergeKey = at?.topology.mergeKey;
  if (mergeKey === undefined) {
    return {
      [`$setElementOrder/${key}`]: wanted,
      [`$deleteFromPrimitiveList/${key}`]: held.filter((item) => !wanted.includes(item)),
      [key]: wanted.filter((item) => !held.includes(item)),
    };
  }
  const keyOf = (item: unknown): unknown => (isObject(item) ? item[mergeKey] : undefined);
  const changes = wanted.flatMap((item) => {
    const old = held.find((other) => keyOf(other) === keyOf(item));
    if (JSON.stringify(old) === JSON.stringify(item)) return [];
    return isObject(old) && isObject(item)
      ? [{ ...patchBetween(old, item, at?.item), [mergeKey]: keyOf(item) }]
      : [item];
  });
  const gone = held.filter((item) => !wanted.some((other) => keyOf(other) === keyOf(item)));
  return {
    [`$setElementOrder/${key}`]: wanted.map((item) => ({ [mergeKey]: keyOf(item) })),
    [key]: [...changes, ...gone.map((item) => ({ [mergeKey]: keyOf(item), $patch: 'delete' }))],
  };
}
