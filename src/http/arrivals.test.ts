import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Arrivals } from './arrivals.ts';

test('requests of one turn are begun together and in order, those that come meanwhile in the next', async () => {
  const begun: number[][] = [];
  let turn: number[] = [];
  const begin = (request: number): void => {
    turn.push(request);
    if (request === 1) arrivals.add(4);
  };
  const arrivals = new Arrivals<number>(begin, () => false);
  for (const request of [1, 2, 3]) arrivals.add(request);
  for (let at = 0; at < 3; at++) {
    begun.push(turn);
    turn = [];
    await setImmediate();
  }
  expect(begun).toEqual([[], [1, 2, 3], [4]]);
});

const upTo = (first: number, count: number): string[] => Array.from({ length: count }, (_, at) => `long ${first + at}`);

test('of long ones some begin in a turn, and quick ones that came meanwhile before the rest', async () => {
  let turn: string[] = [];
  const arrivals = new Arrivals<string>(
    (request) => turn.push(request),
    (request) => request.startsWith('quick'),
  );
  const next = async (): Promise<string[]> => {
    turn = [];
    await setImmediate();
    return turn;
  };
  for (const request of upTo(0, 60)) arrivals.add(request);
  expect(await next()).toEqual(upTo(0, 32));
  arrivals.add('quick');
  expect(await next()).toEqual(['quick', ...upTo(32, 8)]);
  expect(await next()).toEqual(upTo(40, 8));
  expect(await next()).toEqual(upTo(48, 8));
  expect(await next()).toEqual(upTo(56, 4));
  expect(await next()).toEqual([]);
  // Nobody has come for so long that nobody is expected.
  for (const request of upTo(0, 1000)) arrivals.add(request);
  let turns = 0;
  while ((await next()).length === 8) turns++;
  expect(turns).toBe(46);
  expect(turn).toHaveLength(32);
});
