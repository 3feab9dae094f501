import { describe, expect, it } from 'vitest';
import { loadBattery } from '../support/battery.mjs';
import { emptyTally, simulateInformer } from './informer-history.ts';
import { FIRST_SEEDS, INFORMER_MUTATIONS } from './mutations.mjs';

const SEEDS = 10;
/** One is likely to notice within these, also after a change of the histories. */
const MUTATION_SEEDS = 80;
/** Seconds by itself; a busy machine takes longer. */
const timeout = 300_000;

it(`the store of an informer is what the plane had at each revision it claims, over ${SEEDS} seeds`, {
  timeout,
}, async () => {
  const tally = emptyTally();
  for (let seed = 1; seed <= SEEDS; seed++) await simulateInformer(seed, 1, tally);
  for (const [what, count] of Object.entries(tally)) expect(count, what).toBeGreaterThan(0);
});

it('so it is for a day', { timeout }, async () => {
  const tally = emptyTally();
  await simulateInformer(15, 24, tally);
  for (const [what, count] of Object.entries(tally)) expect(count, what).toBeGreaterThan(0);
});

describe('the histories notice an informer that', () => {
  it.each(Object.entries(INFORMER_MUTATIONS))('%s', { timeout }, async (what, mutation) => {
    const { simulateInformer: simulateMutant } = await loadBattery('informing/informer-history.ts', mutation);
    const search = async () => {
      const first = FIRST_SEEDS[what] ?? 1;
      for (let seed = first; seed < first + MUTATION_SEEDS; seed++) await simulateMutant(seed, 1);
    };
    await expect(search()).rejects.toThrow(/^seed \d+, minute /);
  });
});
