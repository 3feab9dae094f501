import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualRuntime } from '../storage/manual-runtime.ts';
import { BodyBudget, type BodyShare } from './body-budget.ts';
import { readIncoming } from './request-body.ts';

const CAPACITY = 1000;

/** Whether a promise was fulfilled or rejected by now. */
async function stateOf(waiting: Promise<unknown> | undefined): Promise<string> {
  if (waiting === undefined) return 'at once';
  const state = waiting.then(
    () => 'later',
    (error: Error) => error.message,
  );
  return Promise.race([state, setImmediate('waiting')]);
}

describe('the budget of bodies', () => {
  const newBudget = (): { budget: BodyBudget; runtime: ManualRuntime } => {
    const runtime = new ManualRuntime();
    return { runtime, budget: new BodyBudget({ capacity: CAPACITY, runtime }) };
  };

  it('gives room in order as it becomes free', async () => {
    const { budget } = newBudget();
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((owner) => budget.open(owner, false));
    expect(await stateOf(a?.reserve(500))).toBe('at once');
    expect(await stateOf(b?.reserve(500))).toBe('at once');
    const waiting = [c?.reserve(400), d?.reserve(100)];
    for (const one of waiting) expect(await stateOf(one)).toBe('waiting');
    a?.release();
    for (const one of waiting) expect(await stateOf(one)).toBe('later');
    expect(budget).toMatchObject({ used: 1000, waiting: 0, refused: 0 });
  });

  it('prefers what has begun, so that it comes to its end', async () => {
    const { budget } = newBudget();
    const [a, b, c] = ['a', 'b', 'c'].map((owner) => budget.open(owner, false));
    await a?.reserve(500);
    await b?.reserve(400);
    const [starting, growing] = [c?.reserve(200), b?.reserve(500)];
    expect([await stateOf(starting), await stateOf(growing)]).toEqual(['waiting', 'later']);
  });

  it('refuses with 429 what waits too long, or finds too many waiting', async () => {
    const { budget, runtime } = newBudget();
    for (const owner of ['a', 'b']) budget.open(owner, false).reserve(500);
    const waiting = budget.open('c', false).reserve(1);
    waiting?.catch(() => {});
    runtime.advance(5_000);
    await expect(waiting).rejects.toMatchObject({ code: 429, details: { retryAfterSeconds: 1 } });
    for (let at = 0; at < 256; at++)
      budget
        .open(`many ${at}`, false)
        .reserve(1)
        ?.catch(() => {});
    expect(() => budget.open('one more', false).reserve(1)).toThrow('too many bytes');
    expect(budget.refused).toBe(2);
  });

  it('leaves something for others, whatever one user sends', async () => {
    const { budget } = newBudget();
    const greedy = [300, 200, 100].map((bytes) => budget.open('greedy', false).reserve(bytes));
    expect(await Promise.all(greedy.map(stateOf))).toEqual(['at once', 'at once', 'waiting']);
    expect(await stateOf(budget.open('modest', false).reserve(400))).toBe('later');
  });

  it('has a little more for those who see to the server', async () => {
    const { budget } = newBudget();
    for (const owner of ['a', 'b']) budget.open(owner, false).reserve(500);
    expect(await stateOf(budget.open('admin', true).reserve(200))).toBe('at once');
    expect(await stateOf(budget.open('admin', true).reserve(200))).toBe('waiting');
  });

  it('always holds what its bodies have, and nothing when they are gone', () => {
    const step = fc.record({ body: fc.nat(9), total: fc.integer({ min: 1, max: 500 }), ends: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const { budget, runtime } = newBudget();
        const bodies = new Map<number, BodyShare>();
        for (const { body, total, ends } of steps) {
          const share = bodies.get(body) ?? budget.open(`user ${body % 3}`, body === 9);
          bodies.set(body, share);
          if (ends) {
            share.release();
            bodies.delete(body);
          } else share.reserve(total)?.catch(() => {});
          expect(budget.used).toBe([...bodies.values()].reduce((sum, { bytes }) => sum + bytes, 0));
          expect(budget.used).toBeLessThanOrEqual(CAPACITY * 1.25);
        }
        for (const share of bodies.values()) share.release();
        expect(budget).toMatchObject({ used: 0, waiting: 0 });
        expect(runtime.timers).toBe(0);
      }),
    );
  });
});

describe('a body', () => {
  const read = (runtime: ManualRuntime, source: PassThrough, account?: BodyShare): Promise<Buffer> => {
    const body = readIncoming(
      { source, isWhole: () => true },
      { limit: 3_000_000, expected: Number.POSITIVE_INFINITY, runtime, timeout: 60_000, account },
    );
    body.catch(() => {});
    return body;
  };

  it('that hardly comes is given up, one that comes is waited for', async () => {
    const runtime = new ManualRuntime();
    const [slow, steady] = [new PassThrough(), new PassThrough()];
    const [slowBody, steadyBody] = [read(runtime, slow), read(runtime, steady)];
    for (let second = 0; second < 30; second++) {
      slow.write('.');
      steady.write(Buffer.alloc(20_000));
      await setImmediate();
      runtime.advance(1_000);
    }
    steady.end();
    await expect(slowBody).rejects.toThrow('arrives too slowly');
    expect((await steadyBody).length).toBe(600_000);
    expect(runtime.timers).toBe(0);
  });

  it('that finds no room stops coming until there is some', async () => {
    const runtime = new ManualRuntime();
    const budget = new BodyBudget({ capacity: 400_000, runtime });
    const other = budget.open('other', false);
    await other.reserve(200_000);
    const admin = budget.open('admin', true);
    await admin.reserve(200_000);
    const share = budget.open('someone', false);
    const source = new PassThrough();
    const body = read(runtime, source, share);
    source.write(Buffer.alloc(100_000));
    source.end(Buffer.alloc(50_000));
    await setImmediate();
    expect(source.readableEnded).toBe(false);
    admin.release();
    expect((await body).length).toBe(150_000);
    expect(share.bytes).toBeGreaterThanOrEqual(150_000);
  });
});
