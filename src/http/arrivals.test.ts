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

test('of long ones some begin in a turn, and quick ones that came meanwhile before the rest', async () => {
  let turn: string[] = [];
  const arrivals = new Arrivals<string>(
    (request) => turn.push(request),
    (request) => request.startsWith('quick'),
  );
  for (let at = 0; at < 40; at++) arrivals.add(`long ${at}`);
  for (const [first, count, quick] of [
    [0, 16, 'quick a'],
    [16, 16, 'quick b'],
    [32, 8, 'quick c'],
  ] as const) {
    arrivals.add(quick);
    await setImmediate();
    expect(turn).toEqual([quick, ...Array.from({ length: count }, (_, at) => `long ${first + at}`)]);
    turn = [];
  }
  await setImmediate();
  expect(turn).toEqual([]);
});
