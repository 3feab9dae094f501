import { describe, expect, it } from 'vitest';
import { loadBattery } from '../support/battery.mjs';
import { emptyLeaderTally, simulateLeaders } from './leader-history.ts';
import { LEADER_MUTATIONS } from './mutations.mjs';

const SEEDS = 20;
const MINUTES = 20;
/** One is likely to notice within these. */
const MUTATION_SEEDS = 100;
const timeout = 300_000;

it(`of several candidates never two lead at once, and one always in the end, over ${SEEDS} seeds`, {
  timeout,
}, async () => {
  const tally = emptyLeaderTally();
  for (let seed = 1; seed <= SEEDS; seed++) await simulateLeaders(seed, MINUTES, tally);
  for (const [what, count] of Object.entries(tally)) expect(count, what).toBeGreaterThan(SEEDS);
});

describe('the histories notice a candidate that', () => {
  it.each(Object.entries(LEADER_MUTATIONS))('%s', { timeout }, async (_what, mutation) => {
    const { simulateLeaders: simulateMutants } = await loadBattery('leading/leader-history.ts', mutation);
    const search = async () => {
      for (let seed = 1; seed <= MUTATION_SEEDS; seed++) await simulateMutants(seed, MINUTES);
    };
    await expect(search()).rejects.toThrow(/^seed \d+, second /);
  });
});
