import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { restEveryTurn, systemRuntime } from '../../runtime.ts';
import { stringifySlowly } from './turns.ts';

describe('stringifying slowly', () => {
  it('gives what stringifying at once gives', async () => {
    const rest = () => Promise.resolve();
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.option(fc.jsonValue(), { nil: undefined })), async (value) => {
        expect(await stringifySlowly(value, rest)).toBe(JSON.stringify(value));
      }),
    );
  });

  it('rests between members', async () => {
    let rests = 0;
    await stringifySlowly({ a: { b: {}, c: {} }, d: 1 }, async () => {
      rests++;
    });
    expect(rests).toBe(4);
  });
});

describe('resting', () => {
  const restOn = (times: readonly number[]) => {
    const left = [...times];
    let waits = 0;
    const runtime = {
      ...systemRuntime,
      monotonic: () => left.shift() ?? 0,
      after(_milliseconds: number, callback: () => void) {
        waits++;
        callback();
        return { cancel() {} };
      },
    };
    return { rest: restEveryTurn(runtime), waits: () => waits };
  };

  it('lets others have a turn only when one is due', async () => {
    const { rest, waits } = restOn([0, 1, 4, 9, 9, 10, 20]);
    const counts: number[] = [];
    for (let at = 0; at < 5; at++) {
      await rest();
      counts.push(waits());
    }
    expect(counts).toEqual([0, 0, 1, 1, 2]);
  });
});
