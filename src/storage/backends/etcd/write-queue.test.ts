import { expect, it } from 'vitest';
import { ShiftableRuntime } from '../../../../test/support/shiftable-runtime.ts';
import { ApiError } from '../../../api/errors.ts';
import { type Applicant, WriteQueue } from './write-queue.ts';

const applicant = (caller: string, place = '/pods/a', background = false): Applicant => ({ caller, place, background });

/** A queue whose writes end when the test says so. */
function queueWithHeldWrites() {
  const runtime = new ShiftableRuntime();
  const queue = new WriteQueue(runtime);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const write = (who: Applicant, name = who.caller): Promise<void> => {
    const written = queue.take(who, () => {
      begun.push(name);
      return new Promise<void>((resolve) => {
        ends.push(resolve);
      });
    });
    // Those that a test leaves waiting are refused some time after it.
    written.catch(() => {});
    return written;
  };
  const endOne = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  /** As many as may be on their way. */
  const fill = async (): Promise<void> => {
    while (queue.waiting === 0) void write(applicant('filler'), 'filler');
    await endOne();
    begun.length = 0;
  };
  return { runtime, queue, begun, write, endOne, fill };
}

it('lets callers take turns, however many writes one of them has waiting', async () => {
  const { begun, write, endOne, fill } = queueWithHeldWrites();
  await fill();
  for (let i = 0; i < 6; i++) void write(applicant('busy'));
  void write(applicant('modest'));
  for (let i = 0; i < 3; i++) await endOne();
  expect(begun).toContain('modest');
});

it('lets places of one caller take turns', async () => {
  const { begun, write, endOne, fill } = queueWithHeldWrites();
  await fill();
  for (let i = 0; i < 6; i++) void write(applicant('one', '/pods/large'), 'large');
  void write(applicant('one', '/pods/small'), 'small');
  for (let i = 0; i < 2; i++) await endOne();
  expect(begun).toEqual(['large', 'small']);
});

it('lets requests go before control loops, which are not starved', async () => {
  const { begun, write, endOne, fill } = queueWithHeldWrites();
  await fill();
  for (let i = 0; i < 8; i++) void write(applicant('loop', '/pods/gone', true));
  for (let i = 0; i < 40; i++) void write(applicant(`client-${i % 4}`), 'client');
  for (let i = 0; i < 40; i++) await endOne();
  const loops = begun.filter((name) => name === 'loop').length;
  expect(loops).toBeGreaterThan(2);
  expect(loops).toBeLessThan(8);
});

it('leaves room for requests while control loops write as fast as they can', async () => {
  const { queue, begun, write } = queueWithHeldWrites();
  for (let i = 0; i < 600; i++) void write(applicant('loop', '/pods/gone', true));
  expect(begun.length).toBeLessThan(queue.allowed);
  void write(applicant('client'));
  await new Promise(setImmediate);
  expect(begun.at(-1)).toBe('client');
});

it('answers 429 when too many wait, and when a turn does not come in time', async () => {
  const { runtime, queue, write, fill } = queueWithHeldWrites();
  await fill();
  const first = write(applicant('early'));
  const late = expect(first).rejects.toMatchObject({ code: 429, details: { retryAfterSeconds: 1 } });
  const others: Promise<void>[] = [];
  while (queue.waiting < 4_096) others.push(write(applicant('crowd')));
  await expect(write(applicant('one too many'))).rejects.toBeInstanceOf(ApiError);
  const all = Promise.allSettled(others);
  runtime.advance(10_000);
  await late;
  expect((await all).every(({ status }) => status === 'rejected')).toBe(true);
  expect(queue.waiting).toBe(0);
});

it('lets fewer through while answers come late, and more when they come quickly again', async () => {
  const runtime = new ShiftableRuntime();
  const queue = new WriteQueue(runtime);
  const before = queue.allowed;
  for (let round = 0; round < 5; round++) {
    await Promise.all(Array.from({ length: 4 }, () => queue.take(applicant('a'), async () => runtime.advance(2_000))));
  }
  const narrowed = queue.allowed;
  expect(narrowed).toBeLessThan(before);
  const quick = () => queue.take(applicant('a'), () => new Promise<void>(setImmediate));
  for (let round = 0; round < 60; round++) await Promise.all(Array.from({ length: queue.allowed + 10 }, quick));
  expect(queue.allowed).toBeGreaterThan(narrowed);
});
