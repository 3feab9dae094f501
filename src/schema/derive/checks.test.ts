import { expect, it } from 'vitest';
import { Problems } from '../problems.ts';
import { int32, string } from '../scalars.ts';
import { f, list, map, struct } from '../schema.ts';
import { runChecks } from './checks.ts';

const grows = (value: number, old: number | undefined) =>
  old !== undefined && value < old ? { reason: 'FieldValueInvalid', message: `must not go below ${old}` } : undefined;

const count = () => int32().check(grows);
const Item = struct('test.Item', { name: f(1, string()), count: f(2, count()) });
const Whole = struct('test.Whole', {
  count: f(1, count()),
  byName: f(2, list(Item).mapBy('name')),
  unkeyed: f(3, list(Item)),
  map: f(4, map(count())),
  text: f(
    5,
    string().check((text) => [...text].map((letter) => ({ reason: 'FieldValueInvalid', message: letter }))),
  ),
});

function problemsOf(value: unknown, old?: unknown): string[] {
  const problems = new Problems();
  runChecks(Whole, value, problems, old);
  return problems.found.map(({ field, message }) => `${field}: ${message}`);
}

it('a check sees what was in its place before an update, wherever that can be told', () => {
  const old = {
    count: 5,
    byName: [
      { name: 'a', count: 1 },
      { name: 'b', count: 7 },
    ],
    unkeyed: [{ name: 'a', count: 9 }],
    map: { x: 3 },
  };
  const value = {
    count: 4,
    byName: [{ name: 'b', count: 2 }],
    unkeyed: [{ name: 'a', count: 1 }],
    map: { x: 2, y: 1 },
  };
  expect(problemsOf(value, old)).toEqual([
    'count: must not go below 5',
    'byName[0].count: must not go below 7',
    'map[x]: must not go below 3',
  ]);
  expect(problemsOf(value)).toEqual([]);
  expect(problemsOf(old, old)).toEqual([]);
});

it('a check may find several problems', () => {
  expect(problemsOf({ text: 'ab' })).toEqual(['text: a', 'text: b']);
});
