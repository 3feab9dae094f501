import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Runtime } from '../runtime/runtime.ts';
import { systemRuntime } from '../runtime/runtime.ts';
import { DueTimes } from './due-times.ts';

/** A clock in the hand of the test. */
class Clock {
  time = 0;
  readonly timers = new Map<object, { readonly at: number; readonly callback: () => void }>();
  readonly runtime: Runtime = {
    ...systemRuntime,
    now: () => this.time,
    after: (milliseconds, callback) => {
      const timer = { cancel: () => this.timers.delete(timer) };
      this.timers.set(timer, { at: this.time + milliseconds, callback });
      return timer;
    },
  };

  goTo(time: number): void {
    for (;;) {
      const [first] = [...this.timers].sort(([, a], [, b]) => a.at - b.at);
      if (!first || first[1].at > time) break;
      this.timers.delete(first[0]);
      this.time = Math.max(this.time, first[1].at);
      first[1].callback();
    }
    this.time = time;
  }
}

describe('keys', () => {
  it('are due at their time, however they came, changed and went', () => {
    const change = fc.record({ key: fc.integer({ min: 0, max: 20 }), at: fc.option(fc.integer({ min: 1, max: 50 })) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 400 }), (changes) => {
        const clock = new Clock();
        const due: string[] = [];
        const times = new DueTimes(clock.runtime, (key) => due.push(`${key} at ${clock.time}`));
        const model = new Map<number, number>();
        for (const { key, at } of changes) {
          if (at === null) {
            model.delete(key);
            times.forget(String(key));
          } else {
            model.set(key, at);
            times.set(String(key), at);
          }
          expect(clock.timers.size).toBeLessThanOrEqual(1);
        }
        clock.goTo(60);
        expect(due.toSorted()).toEqual([...model].map(([key, at]) => `${key} at ${at}`).toSorted());
        expect(times.size).toBe(0);
      }),
    );
  });

  it('that came and went leave nothing behind, though their time is far off', () => {
    const times = new DueTimes(systemRuntime, () => {});
    for (let at = 0; at < 10_000; at++) {
      times.set(`${at}`, Date.now() + 86_400_000 + at);
      times.forget(`${at}`);
    }
    expect(times.planned).toBeLessThan(200);
    times.close();
  });

  it('that are due in many years are so in many years', () => {
    const clock = new Clock();
    const due: number[] = [];
    const times = new DueTimes(clock.runtime, () => due.push(clock.time));
    const year = 365 * 86_400_000;
    times.set('a', 3 * year);
    clock.goTo(4 * year);
    expect(due).toEqual([3 * year]);
  });

  it('that are all due at once are so in parts', () => {
    const clock = new Clock();
    let due = 0;
    const times = new DueTimes(clock.runtime, () => due++);
    for (let at = 0; at < 2_000; at++) times.set(`${at}`, 10);
    const [[, timer] = expect.fail('there is no timer')] = clock.timers;
    clock.time = 10;
    timer.callback();
    expect(due).toBe(500);
    clock.goTo(10);
    expect(due).toBe(2_000);
  });
});
