import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FieldSet, FieldSetBuilder, fieldSetOf, placeText } from './field-set.ts';
import { decodeFields, encodeFields, isSame, isWithin, MalformedFields, meets } from './fields-v1.ts';

type Path = readonly string[];

const element = fc.oneof(
  fc.constantFrom('f:a', 'f:b', 'f:c', 'k:{"name":"a"}', 'k:{"name":"b"}', 'v:"a"', 'v:1', 'i:0', 'i:10', 'f:.', 'f:'),
  fc.string().map((name) => `f:${name}`),
  fc.jsonValue().map((value) => `v:${JSON.stringify(value)}`),
);
const path = fc.array(element, { minLength: 1, maxLength: 4 });
const paths = fc.array(path, { maxLength: 12 });

function setOf(all: readonly Path[]): FieldSet {
  const builder = new FieldSetBuilder();
  for (const one of all) {
    let at = builder;
    for (const part of one.slice(0, -1)) at = at.below(part);
    const last = one.at(-1);
    if (last !== undefined) at.add(last);
  }
  return builder.build();
}

const text = (one: Path): string => JSON.stringify(one);
const textsOf = (set: FieldSet): string[] => [...set.paths()].map(text).sort();
const unique = (all: readonly Path[]): string[] => [...new Set(all.map(text))].sort();
const startsWith = (one: Path, start: Path): boolean => start.every((part, at) => one[at] === part);

/** Whether one has a place of the other, or one below a place that ends there in the other. */
function hasPlaceOf(set: FieldSet, other: FieldSet): boolean {
  const ends = [...other.paths()].filter((end) => {
    const longer = [...other.paths()].filter((one) => one.length > end.length && startsWith(one, end));
    return longer.length === 0;
  });
  const isBelow = (one: Path): boolean => ends.some((end) => startsWith(one, end));
  return !set.intersection(other).isEmpty || [...set.paths()].some(isBelow);
}

describe('a set of places', () => {
  it('behaves as a set of paths', () => {
    fc.assert(
      fc.property(paths, paths, (a, b) => {
        const [left, right] = [setOf(a), setOf(b)];
        const inB = (one: Path): boolean => b.some((other) => text(other) === text(one));
        expect(textsOf(left.union(right))).toEqual(unique([...a, ...b]));
        expect(textsOf(left.difference(right))).toEqual(unique(a.filter((one) => !inB(one))));
        expect(textsOf(left.intersection(right))).toEqual(unique(a.filter(inB)));
        const isUnderB = (one: Path): boolean => b.some((other) => startsWith(one, other));
        expect(textsOf(left.without(right))).toEqual(unique(a.filter((one) => !isUnderB(one))));
        expect(left.equals(right)).toBe(text(unique(a)) === text(unique(b)));
        for (const one of [...a, ...b]) expect(left.union(right).has(one)).toBe(true);
        for (const one of b) expect(left.has(one)).toBe(a.some((other) => text(other) === text(one)));
      }),
    );
  });

  it('has no empty parts, whatever is taken from it', () => {
    const isTidy = (set: FieldSet): boolean =>
      [...set.children.values()].every((below) => !below.isEmpty && isTidy(below));
    fc.assert(
      fc.property(paths, paths, (a, b) => {
        const [left, right] = [setOf(a), setOf(b)];
        for (const set of [left.difference(right), left.intersection(right), left.without(right), left.union(right)])
          expect(isTidy(set)).toBe(true);
        expect(left.difference(left).isEmpty).toBe(true);
      }),
    );
  });

  it('is the same set after an operation that changes nothing', () => {
    fc.assert(
      fc.property(paths, (a) => {
        const set = setOf(a);
        expect(set.union(set.intersection(set))).toBe(set);
        expect(set.difference(FieldSet.EMPTY)).toBe(set);
        expect(set.difference(fieldSetOf('some.other.place'))).toBe(set);
      }),
    );
  });

  it('says its places as people read them', () => {
    expect(placeText(['f:spec', 'f:ports', 'k:{"port":80,"protocol":"TCP"}', 'f:name'])).toBe(
      '.spec.ports[port=80,protocol="TCP"].name',
    );
    expect(placeText(['f:metadata', 'f:finalizers', 'v:"a.b/c"'])).toBe('.metadata.finalizers[="a.b/c"]');
    expect(placeText(['f:args', 'i:3'])).toBe('.args[3]');
  });
});

describe('a recorded set', () => {
  it('is the set again when it is read', () => {
    fc.assert(
      fc.property(paths, (all) => {
        const set = setOf(all);
        const recorded: unknown = JSON.parse(JSON.stringify(encodeFields(set)));
        expect(textsOf(decodeFields(recorded as ReturnType<typeof encodeFields>))).toEqual(textsOf(set));
      }),
    );
  });

  it('has one spelling', () => {
    fc.assert(
      fc.property(
        paths.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => {
          expect(JSON.stringify(encodeFields(setOf(shuffled)))).toBe(JSON.stringify(encodeFields(setOf(all))));
        },
      ),
    );
    const set = setOf([['v:"a"'], ['i:1'], ['k:{"n":1}', 'f:b'], ['k:{"n":1}'], ['f:z'], ['f:a', 'f:b']]);
    expect(JSON.stringify(encodeFields(set))).toBe(
      '{"f:a":{"f:b":{}},"f:z":{},"k:{\\"n\\":1}":{".":{},"f:b":{}},"v:\\"a\\"":{},"i:1":{}}',
    );
  });

  it('is known to meet, be, or be within another set without being read', () => {
    fc.assert(
      fc.property(paths, paths, (a, b) => {
        const [left, right] = [setOf(a), setOf(b)];
        for (const other of [right, left.intersection(right), left.union(right), left]) {
          const recorded = encodeFields(left);
          expect(meets(recorded, other)).toBe(hasPlaceOf(left, other));
          expect(isSame(recorded, other)).toBe(left.equals(other));
          expect(isWithin(recorded, other)).toBe(left.difference(other).isEmpty);
        }
      }),
    );
  });

  it.each([
    [{ spec: {} }, 'unknown path element "spec"'],
    [{ 'f:a': [] }, '"f:a" must hold an object'],
    [{ 'f:a': null }, '"f:a" must hold an object'],
    [{ 'f:a': { 'f:b': 'c' } }, '"f:b" must hold an object'],
    [{ 'k:name': {} }, '"k:name" is not followed by JSON'],
    [{ 'k:["name"]': {} }, 'must name keys'],
    [{ 'v:a': {} }, '"v:a" is not followed by JSON'],
    [{ 'i:1.5': {} }, '"i:1.5" is no position'],
    [{ __proto__: null, constructor: {} }, 'unknown path element "constructor"'],
  ])('%j is refused: %s', (fields, message) => {
    expect(() => decodeFields(fields)).toThrow(MalformedFields);
    expect(() => decodeFields(fields)).toThrow(message);
  });
});
