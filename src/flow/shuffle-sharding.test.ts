import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deal, entropyOf } from './shuffle-sharding.ts';

describe('a hand', () => {
  it('has the wanted number of different cards of the deck', () => {
    const sizes = fc.integer({ min: 1, max: 200 }).chain((deck) => fc.tuple(fc.constant(deck), fc.nat({ max: deck })));
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), sizes, (entropy, [deckSize, handSize]) => {
        const hand = deal(entropy, deckSize, handSize);
        expect(hand).toHaveLength(handSize);
        expect(new Set(hand).size).toBe(handSize);
        for (const card of hand) expect(card).toBeLessThan(deckSize);
        expect(deal(entropy, deckSize, handSize)).toEqual(hand);
      }),
    );
  });

  it('is any of the possible ones exactly as often as any other', () => {
    const counts = new Map<string, number>();
    for (let entropy = 0n; entropy < 5n * 4n * 3n * 7n; entropy++) {
      const key = String(deal(entropy, 5, 3));
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    expect(counts.size).toBe(5 * 4 * 3);
    expect(new Set(counts.values())).toEqual(new Set([7]));
  });

  it('is another for another flow, also where their names run together', () => {
    const hands = [entropyOf('a', 'bc'), entropyOf('ab', 'c'), entropyOf('abc', ''), entropyOf('', 'abc')];
    expect(new Set(hands).size).toBe(4);
  });
});
