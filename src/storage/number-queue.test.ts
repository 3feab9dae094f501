import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NumberQueue } from './number-queue.ts';

const steps = fc.array(
  fc.oneof(
    fc.record({ push: fc.integer({ min: 1, max: 5_000 }) }),
    fc.record({ drop: fc.integer({ min: 0, max: 6_000 }) }),
  ),
  { maxLength: 20 },
);

it('gives back what came in and did not leave, in order', () => {
  fc.assert(
    fc.property(steps, fc.nat(), (given, asked) => {
      const queue = new NumberQueue();
      let plain: number[] = [];
      let next = 0;
      for (const step of given) {
        if ('push' in step) {
          for (let at = 0; at < step.push; at++) {
            queue.push(++next * 3);
            plain.push(next * 3);
          }
        } else {
          queue.drop(step.drop);
          plain = plain.slice(step.drop);
        }
        expect(queue.length).toBe(plain.length);
        const index = asked % (plain.length + 2);
        expect(queue.at(index)).toBe(plain[index]);
        const number = asked % (next * 3 + 2);
        expect(queue.countBelow(number)).toBe(plain.filter((one) => one < number).length);
      }
      expect(Array.from({ length: queue.length }, (_, at) => queue.at(at))).toEqual(plain);
    }),
    { numRuns: 50 },
  );
});

it('counts pairs by their first number', () => {
  const queue = new NumberQueue();
  for (let at = 0; at < 3_000; at++) {
    queue.push(at * 2);
    queue.push(1_000_000 - at);
  }
  expect(queue.countBelow(0, 2)).toBe(0);
  expect(queue.countBelow(1, 2)).toBe(2);
  expect(queue.countBelow(4_000, 2)).toBe(4_000);
  expect(queue.countBelow(4_001, 2)).toBe(4_002);
  expect(queue.countBelow(1_000_000, 2)).toBe(6_000);
});
