import { describe, expect, it } from 'vitest';
import { compareHistories } from './chaos-history.ts';

describe('the same chaos seed', () => {
  it('gives the same history byte by byte', async () => {
    const digests = new Set<string>();
    let dealt = 0;
    for (let seed = 1; seed <= 20; seed++) {
      const { history, difference } = await compareHistories(seed);
      expect(difference).toBeUndefined();
      digests.add(history.digest);
      dealt += history.dealt;
    }
    expect(digests.size).toBe(20);
    expect(dealt).toBeGreaterThan(200);
  });
});
