import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Arrivals } from './arrivals.ts';

test('requests of one turn are begun together and in order, those that come meanwhile in the next', async () => {
  const begun: number[][] = [];
  let turn: number[] = [];
  const arrivals = new Arrivals<number>((request) => {
    turn.push(request);
    if (request === 1) arrivals.add(4);
  });
  for (const request of [1, 2, 3]) arrivals.add(request);
  for (let at = 0; at < 3; at++) {
    begun.push(turn);
    turn = [];
    await setImmediate();
  }
  expect(begun).toEqual([[], [1, 2, 3], [4]]);
});
