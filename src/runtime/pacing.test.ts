import { describe, expect, it } from 'vitest';
import { inSteps, Pacer, pacerOf, restEveryTurn } from './pacing.ts';
import { type Runtime, systemRuntime } from './runtime.ts';

/** A runtime whose clock is moved by the work itself, and whose turns of the event loop are taken by hand. */
function handTurned() {
  let clock = 0;
  const due: (() => void)[] = [];
  const runtime: Runtime = {
    ...systemRuntime,
    monotonic: () => clock,
    soon: (callback) => {
      due.push(callback);
    },
  };
  return {
    runtime,
    work: (milliseconds: number) => {
      clock += milliseconds;
    },
    /** Two turns of the event loop, one without work and one with it, with what promises do in them. */
    async turn() {
      for (let turn = 0; turn < 2; turn++) {
        for (const callback of due.splice(0)) callback();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    get due() {
      return due.length;
    },
  };
}

describe('a pacer', () => {
  it('runs steps in order, for no longer than a moment in each turn', async () => {
    const loop = handTurned();
    const pacer = new Pacer(loop.runtime);
    const done: number[] = [];
    for (let step = 0; step < 6; step++) {
      pacer.run(() => {
        done.push(step);
        loop.work(2);
      });
    }
    expect(done).toEqual([]);
    await loop.turn();
    expect(done).toEqual([0, 1, 2]);
    await loop.turn();
    expect(done).toEqual([0, 1, 2, 3, 4, 5]);
    expect(pacer.waiting + loop.due).toBe(0);
  });

  it('gives long pieces of work a turn each, one after the other', async () => {
    const loop = handTurned();
    const log: string[] = [];
    const piece = async (name: string): Promise<void> => {
      const rest = restEveryTurn(loop.runtime);
      for (let part = 0; part < 3; part++) {
        log.push(`${name}${part}`);
        loop.work(6);
        await rest();
      }
    };
    const all = Promise.all([piece('a'), piece('b')]);
    for (let turn = 0; turn < 6; turn++) {
      log.push('|');
      await loop.turn();
    }
    await all;
    expect(log.join('')).toBe('a0b0|a1|b1|a2|b2||');
  });

  it('does not keep short work waiting', () => {
    const loop = handTurned();
    const rest = restEveryTurn(loop.runtime);
    loop.work(4);
    expect(rest()).toBeUndefined();
    expect(loop.due).toBe(0);
  });

  it('lets work in steps be done at once, unless it takes long', async () => {
    const loop = handTurned();
    function* steps(each: number) {
      for (let step = 0; step < 3; step++) {
        loop.work(each);
        yield;
      }
      return 'done';
    }
    expect(inSteps(steps(1), restEveryTurn(loop.runtime))).toBe('done');
    let outcome: unknown;
    const slow = inSteps(steps(6), restEveryTurn(loop.runtime));
    void Promise.resolve(slow).then((value) => {
      outcome = value;
    });
    for (let turn = 0; turn < 3; turn++) {
      expect(outcome).toBeUndefined();
      await loop.turn();
    }
    expect(outcome).toBe('done');
  });

  it('is one for all work of a runtime', () => {
    expect(pacerOf(systemRuntime)).toBe(pacerOf(systemRuntime));
  });
});
