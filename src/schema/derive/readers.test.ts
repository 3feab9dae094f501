import { describe, expect, it } from 'vitest';
import type { ScalarType } from '../scalar-type.ts';
import { string } from '../scalars.ts';
import { f, list, map, type Struct, scalar, struct } from '../schema.ts';
import { canonicalise } from './canonical.ts';

let looks = 0;
const counted: ScalarType<string, ''> = {
  name: 'Counted',
  expects: 'a string',
  read(value) {
    looks++;
    return typeof value === 'string' ? value : undefined;
  },
  isZero: (value) => value === '',
  zero: '',
  empty: '',
  published: { type: 'string' },
};

const leaf = scalar(counted);
interface Nested {
  first?: string;
  inner?: Nested;
}
const Nest: Struct<Nested> = struct('test.Nest', () => ({ first: f(1, leaf), inner: f(2, Nest.optional()) }));

describe('a struct whose fields come in another order than declared', () => {
  it('is read once, however deep it is', () => {
    let value: Nested = { first: 'x' };
    for (let depth = 0; depth < 100; depth++) value = { inner: value, first: 'x' };
    looks = 0;
    const { value: read } = canonicalise(Nest, value);
    expect(looks).toBe(101);
    expect(Object.keys(read)).toEqual(['first', 'inner']);
  });
});

describe('a value that is too large', () => {
  const Named = struct('test.Named', () => ({ name: f(1, string()) }));
  const Wide = struct('test.Wide', () => ({
    labels: f(1, map(string())),
    names: f(2, list(string())),
    set: f(3, list(string()).set()),
    keyed: f(4, list(Named).mapBy('name')),
  }));
  const labels = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']));
  const names = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`);

  it.each([
    ['labels', { labels: labels(10_001) }, 'labels has more than 10000'],
    ['set', { set: names(10_001) }, 'set has more than 10000'],
    ['keyed', { keyed: names(10_001).map((name) => ({ name })) }, 'keyed has more than 10000'],
    ['names', { names: names(50_000) }, 'the document has more than 50000'],
  ])('is refused for %s', (_field, value, message) => {
    expect(() => canonicalise(Wide, value)).toThrow(message);
  });

  it('may be as large as that', () => {
    expect(() => canonicalise(Wide, { labels: labels(10_000), names: names(39_998) })).not.toThrow();
  });

  it('counts what it has in common with what is known', () => {
    const known = canonicalise(Wide, { labels: labels(10_000), names: names(30_000) }).value;
    expect(() => canonicalise(Wide, { ...known, set: names(9_997) }, known)).not.toThrow();
    expect(() => canonicalise(Wide, { ...known, set: names(9_998) }, known)).toThrow('more than 50000');
  });

  it('has a map that is empty as a field that is not set', () => {
    expect(canonicalise(Wide, { labels: {}, names: ['a'] }).value).toEqual({ names: ['a'] });
    expect(canonicalise(Wide, { labels: { a: undefined } }).value).toEqual({});
  });
});
