import { expect, it } from 'vitest';
import { ManualRuntime } from '../../manual-runtime.ts';
import { layoutBelow } from './layout.ts';
import type { RangeResponse } from './messages.ts';
import { Standing } from './standing.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));
/** So many turns that whoever is about to ask has asked. */
const settle = async () => {
  for (let turns = 0; turns < 5; turns++) await turn();
};

/** An etcd that answers when it is told to, and a feed that is always there already. */
function standingOver() {
  const runtime = new ManualRuntime();
  const questions: ((answer: RangeResponse | Error) => void)[] = [];
  let asked = 0;
  const cluster = {
    range: () =>
      new Promise<RangeResponse>((resolve, reject) => {
        asked++;
        questions.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer)));
      }),
    txn: () => Promise.reject(new Error('no mark is wanted')),
  };
  const feed = { position: 1_000, isAmongOthers: false, arrived: () => Promise.resolve(true) };
  const standing = new Standing(runtime, cluster, layoutBelow('/p'), feed);
  const ask = (count: number) => Promise.all(Array.from({ length: count }, () => standing.current()));
  const answer = async (revision: number) => {
    questions.shift()?.({ revision, entries: [], more: false });
    await settle();
  };
  const fail = async (error: Error) => {
    questions.shift()?.(error);
    await settle();
  };
  return { runtime, ask, answer, fail, asked: () => asked };
}

it('asks once for all who came before it asked, and never answers from a question that was asked before', async () => {
  const { ask, answer, asked } = standingOver();
  const first = ask(3);
  await settle();
  const later = ask(2);
  await answer(7);
  expect(await first).toEqual([7, 7, 7]);
  expect(asked()).toBe(2);
  await answer(9);
  expect(await later).toEqual([9, 9]);
});

it('waits a moment for the other half of many readers, who then stay together', async () => {
  const { runtime, ask, answer, asked } = standingOver();
  const some = ask(8);
  await settle();
  const others = ask(8);
  await answer(1);
  await some;
  expect(asked()).toBe(1);
  const again = ask(8);
  await settle();
  expect(asked()).toBe(2);
  expect(runtime.timers).toBe(0);
  await answer(2);
  expect(await again).toEqual(await others);
  // The first to come back does not ask for itself.
  const early = ask(1);
  await settle();
  expect(asked()).toBe(2);
  const all = ask(15);
  await settle();
  expect(asked()).toBe(3);
  await answer(3);
  expect([await early, await all].flat()).toEqual(Array(16).fill(3));
});

it('does not wait for readers who stay away, nor a second time', async () => {
  const { runtime, ask, answer, asked } = standingOver();
  const many = ask(20);
  await settle();
  await answer(1);
  await many;
  const alone = ask(1);
  await settle();
  expect(asked()).toBe(1);
  runtime.advance(1);
  await settle();
  expect(asked()).toBe(2);
  await answer(2);
  expect(await alone).toEqual([2]);
  void ask(1);
  await settle();
  expect(asked()).toBe(3);
});

it('tells all who shared a question that it failed, and asks anew for those after them', async () => {
  const { ask, answer, fail, asked } = standingOver();
  const unlucky = ask(2).catch((error: unknown) => error);
  await settle();
  const next = ask(2);
  await fail(new Error('no answer'));
  expect(await unlucky).toEqual(new Error('no answer'));
  expect(asked()).toBe(2);
  await answer(5);
  expect(await next).toEqual([5, 5]);
});
