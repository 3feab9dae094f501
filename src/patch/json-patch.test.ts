import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PatchFailed, PatchTooLong } from './json-draft.ts';
import { applyJsonPatch, MalformedPatch, parseJsonPatch } from './json-patch.ts';

const patched = (document: unknown, ...operations: object[]): unknown =>
  applyJsonPatch(document, parseJsonPatch(operations));

describe('a JSON patch', () => {
  it.each([
    ['adds a key', { a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
    ['adds over a key', { a: 1 }, [{ op: 'add', path: '/a', value: 2 }], { a: 2 }],
    ['inserts into a list', { a: [1, 3] }, [{ op: 'add', path: '/a/1', value: 2 }], { a: [1, 2, 3] }],
    ['appends with -', { a: [1] }, [{ op: 'add', path: '/a/-', value: 2 }], { a: [1, 2] }],
    ['appends at the length', { a: [1] }, [{ op: 'add', path: '/a/1', value: 2 }], { a: [1, 2] }],
    ['counts from the end', { a: [1, 2] }, [{ op: 'replace', path: '/a/-1', value: 3 }], { a: [1, 3] }],
    ['replaces everything', { a: 1 }, [{ op: 'replace', path: '', value: { b: 1 } }], { b: 1 }],
    ['replaces a missing key', { a: 1 }, [{ op: 'replace', path: '/b', value: 2 }], { a: 1, b: 2 }],
    ['sets null where it says no value', {}, [{ op: 'add', path: '/a' }], { a: null }],
    ['removes a key', { a: 1, b: 2 }, [{ op: 'remove', path: '/a' }], { b: 2 }],
    ['removes from a list', { a: [1, 2] }, [{ op: 'remove', path: '/a/0' }], { a: [2] }],
    ['moves', { a: { x: 1 }, b: {} }, [{ op: 'move', from: '/a/x', path: '/b/y' }], { a: {}, b: { y: 1 } }],
    ['moves inside a list', { a: [1, 2, 3] }, [{ op: 'move', from: '/a/0', path: '/a/2' }], { a: [2, 3, 1] }],
    ['copies', { a: { x: [1] } }, [{ op: 'copy', from: '/a', path: '/b' }], { a: { x: [1] }, b: { x: [1] } }],
    ['unescapes', { 'a/b': 1, 'c~d': 2 }, [{ op: 'remove', path: '/a~1b' }], { 'c~d': 2 }],
    ['unescapes in one go', { '~1': 1 }, [{ op: 'remove', path: '/~01' }], {}],
    ['knows the empty key', { '': { '': 1 } }, [{ op: 'remove', path: '//' }], { '': {} }],
    [
      'tests a value',
      { a: { b: [1, { c: 0 }] } },
      [{ op: 'test', path: '/a', value: { b: [1, { c: -0 }] } }],
      { a: { b: [1, { c: 0 }] } },
    ],
    ['tests for null', { a: null }, [{ op: 'test', path: '/a' }], { a: null }],
    ['takes a missing key for null', { b: 1 }, [{ op: 'test', path: '/a', value: null }], { b: 1 }],
    [
      'goes step by step',
      {},
      [
        { op: 'add', path: '/a', value: {} },
        { op: 'add', path: '/a/b', value: 1 },
      ],
      { a: { b: 1 } },
    ],
    ['ignores what it does not know', {}, [{ op: 'add', path: '/a', value: 1, note: 'x' }], { a: 1 }],
  ])('%s', (_says, document, operations, result) => {
    expect(patched(document, ...operations)).toEqual(result);
  });

  it.each([
    ['a path that is not there', { a: 1 }, { op: 'remove', path: '/b' }],
    ['a parent that is not there', { a: 1 }, { op: 'add', path: '/b/c', value: 1 }],
    ['a value that holds nothing', { a: 1 }, { op: 'add', path: '/a/b', value: 1 }],
    ['an inherited name', {}, { op: 'remove', path: '/constructor' }],
    ['a position past the end', { a: [1] }, { op: 'add', path: '/a/2', value: 1 }],
    ['a position that is none', { a: [1] }, { op: 'replace', path: '/a/01', value: 1 }],
    ['- where something must be', { a: [1] }, { op: 'remove', path: '/a/-' }],
    ['a path without a slash', { a: 1 }, { op: 'remove', path: 'a' }],
    ['a test of another value', { a: [1, 2] }, { op: 'test', path: '/a', value: [2, 1] }],
    ['a test of a missing key', {}, { op: 'test', path: '/a', value: 1 }],
    ['a test below a missing key', {}, { op: 'test', path: '/a/b', value: null }],
    ['a test of a missing element', { a: [1] }, { op: 'test', path: '/a/1', value: null }],
    ['an unknown operation', {}, { op: 'sing', path: '/a' }],
    ['an operation that objects inherit', {}, { op: 'toString', path: '/a' }],
  ])('fails on %s', (_says, document, operation) => {
    expect(() => patched(document, operation)).toThrow(PatchFailed);
  });

  it.each([
    ['no list', { op: 'add' }],
    ['an operation that is no object', [1]],
    ['an operation without op', [{ path: '/a' }]],
    ['an operation without path', [{ op: 'add' }]],
    ['a move from nowhere', [{ op: 'move', path: '/a' }]],
  ])('is malformed when it is %s', (_says, document) => {
    expect(() => parseJsonPatch(document)).toThrow(MalformedPatch);
  });

  it('has at most ten thousand operations', () => {
    const operations = (count: number) => Array.from({ length: count }, () => ({ op: 'test', path: '', value: 1 }));
    expect(parseJsonPatch(operations(10_000))).toHaveLength(10_000);
    expect(() => parseJsonPatch(operations(10_001))).toThrow(PatchTooLong);
  });

  it('cannot grow without limit by copying', () => {
    const operations = Array.from({ length: 60 }, (_, at) => ({ op: 'copy', from: '', path: `/${at}` }));
    expect(() => patched({ a: 'x' }, ...operations)).toThrow(PatchTooLong);
  });

  it('cannot move long lists again and again', () => {
    const list = Array.from({ length: 50_000 }, () => 1);
    const inserts = (count: number, path: string) =>
      Array.from({ length: count }, () => ({ op: 'add', path, value: 1 }));
    expect(patched({ list }, ...inserts(9_000, '/list/-'))).toMatchObject({ list: { length: 59_000 } });
    expect(() => patched({ list }, ...inserts(500, '/list/0'))).toThrow('moves more than 20000000 list elements');
    const removals = Array.from({ length: 500 }, () => ({ op: 'remove', path: '/list/0' }));
    expect(() => patched({ list }, ...removals)).toThrow(PatchTooLong);
  });

  it('copies no more values than a document may have', () => {
    const list = Array.from({ length: 60_000 }, () => 1);
    const copy = { op: 'copy', from: '/list', path: '/more' };
    expect(() => patched({ list }, copy, copy)).toThrow('more than');
  });

  it('cannot nest a document without end', () => {
    const path = '/a'.repeat(150);
    const deep = (levels: number): unknown => (levels === 0 ? {} : { a: deep(levels - 1) });
    const add = { op: 'add', path, value: deep(40) };
    expect(patched(deep(149), add)).toBeDefined();
    const away = { op: 'move', from: '/a', path: '/b' };
    expect(() => patched(deep(149), add, away, { op: 'add', path: '/a', value: deep(149) })).not.toThrow();
    const under = { op: 'move', from: '/b', path };
    const again = [away, { op: 'add', path: '/a', value: deep(149) }, under];
    expect(() => patched(deep(149), ...again, ...again, ...again, ...again)).toThrow('nest deeper than 200 levels');
  });

  it('shares with the document what it does not touch', () => {
    const document = { a: { b: [{ c: 1 }, { c: 2 }] }, d: { e: 1 } };
    const result = patched(document, { op: 'replace', path: '/a/b/0/c', value: 3 }) as typeof document;
    expect(result).toEqual({ a: { b: [{ c: 3 }, { c: 2 }] }, d: { e: 1 } });
    expect(result.d).toBe(document.d);
    expect(result.a.b[1]).toBe(document.a.b[1]);
  });

  it('changes neither the document nor itself, also when it fails half way', () => {
    const key = fc.constantFrom('a', 'b', '0', '-');
    const pointer = fc.array(key, { maxLength: 3 }).map((keys) => keys.map((one) => `/${one}`).join(''));
    const operation = fc.record({
      op: fc.constantFrom('add', 'replace', 'remove', 'move', 'copy', 'test'),
      path: pointer,
      from: pointer,
      value: fc.jsonValue({ maxDepth: 2 }),
    });
    const document = fc.object({ key, maxDepth: 3, values: [fc.integer(), fc.array(fc.integer())] });
    fc.assert(
      fc.property(document, fc.array(operation, { maxLength: 4 }), (target, operations) => {
        const before = JSON.stringify([target, operations]);
        const parsed = parseJsonPatch(operations);
        try {
          const result = applyJsonPatch(target, parsed);
          expect(JSON.stringify(applyJsonPatch(target, parsed))).toBe(JSON.stringify(result));
        } catch (error) {
          expect(error).toBeInstanceOf(PatchFailed);
        }
        expect(JSON.stringify([target, operations])).toBe(before);
      }),
      { numRuns: 500 },
    );
  });

  it('does not share what it copies', () => {
    const result = patched(
      { a: { x: 1 } },
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'replace', path: '/b/x', value: 2 },
    );
    expect(result).toEqual({ a: { x: 1 }, b: { x: 2 } });
  });
});
