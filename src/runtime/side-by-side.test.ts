import { expect, it } from 'vitest';
import { sideBySide } from './side-by-side.ts';

it('acts on all, never on more at once than it may, and tells the first failure when all is over', async () => {
  const [begun, ended]: [number[], number[]] = [[], []];
  let most = 0;
  const acting = sideBySide([5, 1, 4, 1, 3, 1], 2, async (turns) => {
    begun.push(turns);
    most = Math.max(most, begun.length - ended.length);
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    ended.push(turns);
    if (turns === 4 || turns === 3) throw new Error(`no ${turns}`);
  });
  await expect(acting).rejects.toThrow('no 4');
  expect([begun.length, ended.length, most]).toEqual([6, 6, 2]);
});
