import { expect, it } from 'vitest';
import { ManualRuntime } from '../manual-runtime.ts';
import { Waiters } from './waiters.ts';

function waitersOf() {
  const runtime = new ManualRuntime();
  const waiters = new Waiters(runtime);
  const outcomes: string[] = [];
  const wait = (name: string, revision: number, timeoutMs?: number): void => {
    void waiters.wait(revision, timeoutMs).then((reached) => outcomes.push(`${name} ${reached}`));
  };
  const told = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return outcomes.splice(0);
  };
  return { runtime, waiters, wait, told };
}

it('releases those whose revision is reached, and nobody else', async () => {
  const { waiters, wait, told } = waitersOf();
  wait('a', 5, 100);
  wait('b', 7);
  waiters.reached(6);
  expect(await told()).toEqual(['a true']);
  waiters.reached(7);
  expect(await told()).toEqual(['b true']);
});

it('gives up each in its own time, whenever it came, by one timer', async () => {
  const { runtime, wait, told } = waitersOf();
  wait('long', 9, 5_000);
  wait('for ever', 9);
  wait('short', 9, 5);
  wait('longer', 9, 6_000);
  expect(runtime.timers).toBe(1);
  runtime.advance(4);
  expect(await told()).toEqual([]);
  runtime.advance(1);
  expect(await told()).toEqual(['short false']);
  runtime.advance(4_994);
  expect(await told()).toEqual([]);
  runtime.advance(1);
  expect(await told()).toEqual(['long false']);
  runtime.advance(1_000);
  expect(await told()).toEqual(['longer false']);
  runtime.advance(1_000_000);
  expect(await told()).toEqual([]);
});

it('keeps the time of those who come after others were released', async () => {
  const { runtime, waiters, wait, told } = waitersOf();
  wait('first', 1, 1_000);
  waiters.reached(1);
  runtime.advance(900);
  wait('second', 2, 1_000);
  runtime.advance(999);
  expect(await told()).toEqual(['first true']);
  runtime.advance(1);
  expect(await told()).toEqual(['second false']);
});

it('lets go of everyone when it is closed', async () => {
  const { runtime, waiters, wait, told } = waitersOf();
  wait('a', 1, 1_000);
  wait('b', 1);
  waiters.close();
  expect(await told()).toEqual(['a false', 'b false']);
  expect(runtime.timers).toBe(0);
});
