import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject } from '../schema/json-object.ts';
import { sameJson } from '../schema/same-json.ts';
import { mergePatch } from './merge-patch.ts';

type JsonObject = { [key: string]: unknown };

/** The patch that makes one document of another, where that is possible: a merge patch cannot set anything to null. */
function patchBetween(from: unknown, to: unknown): unknown {
  if (!isObject(to) || !isObject(from)) return to;
  const removed = Object.keys(from).filter((key) => !Object.hasOwn(to, key));
  const set = Object.keys(to).filter((key) => !sameJson(own(from, key), to[key]));
  return Object.fromEntries([
    ...removed.map((key) => [key, null]),
    ...set.map((key) => [key, patchBetween(own(from, key), to[key])]),
  ]);
}

const own = (object: JsonObject, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined);

const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutNulls(inner)]));
};

const json = fc.jsonValue({ maxDepth: 4 });

describe('a merge patch', () => {
  it.each([
    ['sets a key', { a: 'b' }, { a: 'c' }, { a: 'c' }],
    ['adds a key', { a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    ['removes a key', { a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    ['removes nothing that is not there', { a: 'b' }, { c: null }, { a: 'b' }],
    ['replaces lists as a whole', { a: ['b', 'd'] }, { a: ['c'] }, { a: ['c'] }],
    ['replaces a list by a value', { a: ['b'] }, { a: 'c' }, { a: 'c' }],
    ['replaces a value by a list', { a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    ['merges inside', { a: { b: 'c', d: 'e' } }, { a: { b: 'x', d: null } }, { a: { b: 'x' } }],
    ['does not merge into elements of lists', { a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    ['keeps nulls inside lists', { a: 'x' }, { a: [null, { b: null }] }, { a: [null, { b: null }] }],
    ['keeps nulls that were there', { e: null }, { a: 1 }, { e: null, a: 1 }],
    ['drops nulls of new objects', {}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    ['makes an object of what was none', { a: 'b' }, { a: { c: 1, d: null } }, { a: { c: 1 } }],
    ['that is no object replaces everything', { a: 'b' }, ['c'], ['c']],
    ['takes inherited names for what they are', {}, { constructor: { a: 1 } }, { constructor: { a: 1 } }],
  ])('%s', (_says, target, patch, result) => {
    expect(mergePatch(target, patch)).toEqual(result);
  });

  it('made from two documents turns one into the other', () => {
    fc.assert(
      fc.property(json, json.map(withoutNulls), (from, to) => {
        expect(sameJson(mergePatch(from, patchBetween(from, to)), to)).toBe(true);
      }),
    );
  });

  it('changes neither the document nor itself', () => {
    fc.assert(
      fc.property(json, json, (target, patch) => {
        const before = JSON.stringify([target, patch]);
        mergePatch(target, patch);
        expect(JSON.stringify([target, patch])).toBe(before);
      }),
    );
  });

  it('cannot reach what objects inherit', () => {
    const result = mergePatch({}, JSON.parse('{"__proto__":{"polluted":true},"a":{"__proto__":{"polluted":true}}}'));
    expect(JSON.stringify(result)).toBe('{"__proto__":{"polluted":true},"a":{"__proto__":{"polluted":true}}}');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});
