import { describe, expect, it } from 'vitest';
import { jsonPath } from './json-path.ts';
import { JsonPathError } from './json-path-syntax.ts';

const object = {
  spec: { n: 0, list: ['p', 'q', 'r'], o: { 'dotted.key': 'z', x: null }, items: [{ name: 'i' }, { name: 'j', n: 3 }] },
  status: {
    conditions: [
      { type: 'Other', status: 'False' },
      { type: 'Ready', status: 'True' },
    ],
  },
};

describe('a path', () => {
  it.each([
    ['.spec.n', 0],
    ['.spec.o.x', null],
    ['.spec.missing.n', undefined],
    ['$.spec.n', 0],
    ['.spec.list[0]', 'p'],
    ['.spec.list[-1]', 'r'],
    ['.spec.list[-2]', 'q'],
    ['.spec.list[9]', undefined],
    ['.spec.list[*]', 'p'],
    ['.spec.list[1:]', 'q'],
    ['.spec.list[0:3:2]', 'p'],
    ['.spec.list[2,0]', 'r'],
    ['.spec.o.dotted\\.key', 'z'],
    [".spec.o['dotted.key']", 'z'],
    ['.spec.items[*].n', 3],
    ['.spec.items[?(@.n)].name', 'j'],
    ['.spec.items[?(@.n > 2)].name', 'j'],
    ['.spec.items[?(@.n > 3)].name', undefined],
    ['.status.conditions[?(@.type=="Ready")].status', 'True'],
    [".status.conditions[?(@.type != 'Ready')].status", 'False'],
    ['.status..status', 'False'],
    ['.constructor', undefined],
    ['.__proto__', undefined],
  ])('finds the first value at %s', (text, expected) => {
    expect(jsonPath(text).first(object)).toEqual(expected);
  });

  it.each(['.a[', '.a[x]', ".a['b]", '.a[?(@.b]', '.a[?()]', '.a b', '.a[0:1:0]', `.${'a'.repeat(5000)}`])(
    'cannot be %s',
    (text) => {
      expect(() => jsonPath(text)).toThrow(JsonPathError);
    },
  );

  it('of many descents gives up soon in an object that has no answer', () => {
    const deep = { a: Array.from({ length: 50 }, () => ({ b: Array.from({ length: 50 }, () => ({ c: {} })) })) };
    let looks = 0;
    const counted = new Proxy(deep, {
      ownKeys(target) {
        looks++;
        return Reflect.ownKeys(target);
      },
    });
    expect(jsonPath('..*..*..*..nothing').first(counted)).toBeUndefined();
    expect(looks).toBeLessThan(100_000);
  });
});
