import { expect, it } from 'vitest';
import { differenceText } from './difference-text.ts';

it('a difference is told by its place, with both values', () => {
  const before = { a: 1, list: [{ x: 'y' }, { x: 'z' }], gone: true, same: { deep: [1] } };
  const after = { a: 2, list: [{ x: 'y' }, { x: 'w' }], same: { deep: [1] }, fresh: { b: null } };
  expect(differenceText('spec', before, after).split('\n')).toEqual([
    ...['- spec.a: 1', '+ spec.a: 2'],
    ...['- spec.list[1].x: "z"', '+ spec.list[1].x: "w"'],
    ...['- spec.gone: true', '+ spec.gone: unset'],
    ...['- spec.fresh: unset', '+ spec.fresh: {"b":null}'],
  ]);
  expect(differenceText('spec', before, structuredClone(before))).toBe('');
});

it('lists of other lengths differ as a whole', () => {
  expect(differenceText('l', [1], [1, 2])).toBe('- l: [1]\n+ l: [1,2]');
});

it('however much differs, little is told', () => {
  const many = (text: string) => Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, text]));
  const text = differenceText('spec', many('a'.repeat(500)), many('b'.repeat(500)));
  expect(text.length).toBeLessThan(10_000);
  expect(text.split('\n')).toHaveLength(21);
  expect(text).toMatch(/… and more$/);
});
