import { expect, it } from 'vitest';
import { type Outcome, sideBySide } from './side-by-side.ts';

it('gives outcomes in the order of the things, does no more than so many at once, and goes on after a failure', async () => {
  let underWay = 0;
  let most = 0;
  const work = async (thing: number): Promise<number> => {
    most = Math.max(most, ++underWay);
    for (let turn = 0; turn < (thing % 3) + 1; turn++) await Promise.resolve();
    underWay--;
    if (thing === 4) throw new Error('four');
    return thing * 2;
  };
  const outcomes: Outcome<number>[] = [];
  for await (const outcome of sideBySide([0, 1, 2, 3, 4, 5, 6], 3, work)) outcomes.push(outcome);
  expect(outcomes.map((one) => ('value' in one ? one.value : 'failed'))).toEqual([0, 2, 4, 6, 'failed', 10, 12]);
  expect(most).toBe(3);
});
