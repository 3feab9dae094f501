import { describe, expect, it } from 'vitest';
import type { Defects } from './simulated-disk.ts';
import { emptyTally, simulate } from './simulation.ts';

const SEEDS = 300;
/** It takes a second by itself, and two minutes in a process that has run everything else before. */
const timeout = 300_000;

it(`a store loses nothing it showed, over ${SEEDS} seeds of kills, power cuts and failing disks`, {
  timeout,
}, async () => {
  const tally = emptyTally();
  for (let seed = 1; seed <= SEEDS; seed++) await simulate(seed, tally);
  for (const count of Object.values(tally)) expect(count).toBeGreaterThan(SEEDS / 10);
});

describe('the simulation notices', () => {
  const broken: Record<string, Defects> = {
    'a disk that acknowledges before it has synced': { acknowledgesEarly: true },
    'a start that shows what is only in the page cache': { neverSyncsAtStart: true },
  };
  it.each(Object.entries(broken))('%s', { timeout }, async (_what, defects) => {
    const search = async () => {
      for (let seed = 1; seed <= 2 * SEEDS; seed++) await simulate(seed, emptyTally(), defects);
    };
    await expect(search()).rejects.toThrow(/^seed \d+, step \d+: /);
  });
});
