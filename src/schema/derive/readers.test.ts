import { describe, expect, it } from 'vitest';
import { f, type ScalarType, type Struct, scalar, struct } from '../schema.ts';
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
