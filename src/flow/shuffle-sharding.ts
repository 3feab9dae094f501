import { hash } from 'node:crypto';

/** 64 bits that are the same for the same flow, and unlike those of any other. */
export const entropyOf = (schema: string, distinguisher: string): bigint =>
  BigInt(`0x${hash('sha256', JSON.stringify([schema, distinguisher]), 'hex').slice(0, 16)}`);

/**
 * Deals different cards of a deck, every hand as likely as any other. Flows get hands of queues: two flows may share a
 * queue, hardly ever all of them, so that a flow which fills its own queues leaves others a way past them.
 */
export function deal(entropy: bigint, deckSize: number, handSize: number): number[] {
  const hand: number[] = [];
  let rest = entropy;
  for (let left = deckSize; hand.length < handSize && left > 0; left--) {
    const place = Number(rest % BigInt(left));
    rest /= BigInt(left);
    hand.push(cardAt(place, hand));
  }
  return hand;
}

/** The card at a place among those not dealt yet. */
function cardAt(place: number, dealt: readonly number[]): number {
  let card = place;
  for (const taken of [...dealt].sort((a, b) => a - b)) if (taken <= card) card++;
  return card;
}
