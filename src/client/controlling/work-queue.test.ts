import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { Recorder } from '../../observe/metrics/recorder.ts';
import { WorkQueueMeter } from '../../observe/metrics/work-queue-metrics.ts';
import { ManualRuntime } from '../../storage/manual-runtime.ts';
import { NotYet, WorkQueue } from './work-queue.ts';

/** Lets everything happen that waits for nothing but its turn. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A queue whose handling ends when the test says so. */
class Bench {
  readonly runtime = new ManualRuntime();
  readonly recorder = new Recorder();
  readonly errors: [string, unknown][] = [];
  /** Every key that was begun with, in order. */
  readonly begun: string[] = [];
  readonly queue: WorkQueue;
  /** By key, how to end what is under way. */
  readonly #ends = new Map<string, (failure?: Error) => void>();

  constructor(workers?: number) {
    this.queue = new WorkQueue({
      runtime: this.runtime,
      meter: new WorkQueueMeter(this.recorder, this.runtime, 'test'),
      ...(workers === undefined ? {} : { workers }),
      handle: (key) => this.#handle(key),
      onError: (key, error) => this.errors.push([key, error]),
    });
  }

  get underWay(): string[] {
    return [...this.#ends.keys()];
  }

  async end(key: string, failure?: Error): Promise<void> {
    this.#ends.get(key)?.(failure);
    await settle();
  }

  async advance(milliseconds: number): Promise<void> {
    this.runtime.advance(milliseconds);
    await settle();
  }

  async add(...keys: string[]): Promise<void> {
    for (const key of keys) this.queue.add(key);
    await settle();
  }

  #handle(key: string): Promise<void> {
    if (this.#ends.has(key)) throw new Error(`${key} is handled twice at once`);
    this.begun.push(key);
    return new Promise((resolve, reject) => {
      this.#ends.set(key, (failure) => {
        this.#ends.delete(key);
        if (failure) reject(failure);
        else resolve();
      });
    });
  }
}

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});

describe('keys', () => {
  it('are handled in the order in which they were added, each once however often', async () => {
    await bench.add('a', 'b', 'a', 'c', 'b');
    for (const key of ['a', 'b', 'c']) await bench.end(key);
    expect(bench.begun).toEqual(['a', 'b', 'c']);
  });

  it('are begun with after whoever added the first has gone on', async () => {
    bench.queue.add('a');
    expect(bench.begun).toEqual([]);
    await settle();
    expect(bench.begun).toEqual(['a']);
  });

  it('are handled again when they were added meanwhile, once, and not at the same time', async () => {
    await bench.add('a');
    await bench.add('a', 'a', 'b');
    expect(bench.underWay).toEqual(['a']);
    await bench.end('a');
    expect(bench.underWay).toEqual(['b']);
    await bench.end('b');
    await bench.end('a');
    expect(bench.begun).toEqual(['a', 'b', 'a']);
    expect(bench.underWay).toEqual([]);
  });

  it('are handled by as many workers as there are, and not one more', async () => {
    bench = new Bench(3);
    await bench.add('a', 'b', 'c', 'd', 'e');
    expect(bench.underWay).toEqual(['a', 'b', 'c']);
    await bench.end('b');
    expect(bench.underWay).toEqual(['a', 'c', 'd']);
    await bench.add('c', 'f');
    expect(bench.underWay).toEqual(['a', 'c', 'd']);
    for (const key of ['a', 'c', 'd', 'e', 'f', 'c']) await bench.end(key);
    expect(bench.begun).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'c']);
  });
});

describe('a key for later', () => {
  it('is handled when its time has come', async () => {
    bench.queue.addAfter('a', 100);
    await bench.advance(99);
    expect(bench.begun).toEqual([]);
    await bench.advance(1);
    expect(bench.begun).toEqual(['a']);
  });

  it('is handled at the earliest of the times that were asked for, once', async () => {
    bench.queue.addAfter('a', 100);
    bench.queue.addAfter('a', 50);
    bench.queue.addAfter('a', 200);
    await bench.advance(50);
    await bench.end('a');
    await bench.advance(1_000);
    expect(bench.begun).toEqual(['a']);
    expect(bench.runtime.timers).toBe(0);
  });

  it('may be as far off as can be', async () => {
    bench.queue.addAfter('a', Number.MAX_SAFE_INTEGER);
    expect(bench.runtime.timers).toBe(1);
    await bench.advance(1e9);
    expect(bench.begun).toEqual([]);
  });
});

describe('a key whose handling fails', () => {
  it('comes back each time later, up to half a minute, and at once again after a success', async () => {
    await bench.add('a');
    const waits: number[] = [];
    for (let failure = 1; failure <= 12; failure++) {
      await bench.end('a', new Error(`failure ${failure}`));
      const before = bench.begun.length;
      let waited = 0;
      for (; bench.begun.length === before; waited += 50) await bench.advance(50);
      waits.push(waited);
    }
    expect(waits).toEqual([50, 100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
    expect(bench.errors).toHaveLength(12);
    await bench.end('a');
    await bench.add('a');
    await bench.end('a', new Error('again'));
    await bench.advance(50);
    expect(bench.underWay).toEqual(['a']);
  });

  it('is handled at once when it is added, however long it would have waited', async () => {
    await bench.add('a');
    for (const wait of [50, 100, 200]) {
      await bench.end('a', new Error('no'));
      await bench.advance(wait);
    }
    await bench.end('a', new Error('no'));
    await bench.add('a');
    expect(bench.underWay).toEqual(['a']);
  });

  it('does not keep others waiting', async () => {
    await bench.add('a', 'b');
    await bench.end('a', new Error('no'));
    expect(bench.underWay).toEqual(['b']);
  });

  it('is told of, unless it only says that it is not yet time', async () => {
    await bench.add('a', 'b');
    const failure = new Error('no');
    await bench.end('a', failure);
    await bench.end('b', new NotYet());
    expect(bench.errors).toEqual([['a', failure]]);
    await bench.advance(50);
    expect(bench.underWay).toEqual(['a']);
    await bench.end('a');
    expect(bench.underWay).toEqual(['b']);
  });
});

describe('closing', () => {
  it('waits for what is under way, begins nothing more, and leaves no timer', async () => {
    bench = new Bench(2);
    await bench.add('a', 'b', 'c');
    bench.queue.addAfter('d', 100);
    await bench.add('a');
    let isClosed = false;
    const closing = bench.queue.close().then(() => {
      isClosed = true;
    });
    await bench.add('e');
    bench.queue.addAfter('f', 1);
    await bench.end('a', new Error('too late'));
    expect(isClosed).toBe(false);
    await bench.end('b');
    await closing;
    await bench.advance(1_000);
    expect(bench.begun).toEqual(['a', 'b']);
    expect([bench.errors, bench.runtime.timers]).toEqual([[], 0]);
  });

  it('is over at once when nothing is under way', async () => {
    await bench.add('a');
    await bench.end('a');
    await bench.queue.close();
    await bench.queue.close();
    expect(bench.begun).toEqual(['a']);
  });
});

it('whatever happens, no key is handled twice at once, none is forgotten, and never too many at a time', async () => {
  const step = fc.record({
    what: fc.constantFrom('add', 'later', 'end', 'fail', 'advance'),
    key: fc.constantFrom('a', 'b', 'c', 'd'),
  });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 40 }), async (workers, steps) => {
      const one = new Bench(workers);
      /** Keys that were added after they were begun with for the last time. */
      const owed = new Set<string>();
      let seen = 0;
      const look = (): void => {
        for (const key of one.begun.slice(seen)) owed.delete(key);
        seen = one.begun.length;
        expect(one.underWay.length).toBeLessThanOrEqual(workers);
      };
      for (const { what, key } of steps) {
        if (what === 'add' || what === 'later') owed.add(key);
        if (what === 'add') await one.add(key);
        if (what === 'later') one.queue.addAfter(key, 70);
        if (what === 'end' || what === 'fail') {
          const [first] = one.underWay;
          if (what === 'fail' && first) owed.add(first);
          if (first) await one.end(first, what === 'fail' ? new Error('no') : undefined);
        }
        if (what === 'advance') await one.advance(60);
        look();
      }
      for (let round = 0; round < 60 && (owed.size > 0 || one.underWay.length > 0); round++) {
        for (const key of one.underWay) await one.end(key);
        await one.advance(30_000);
        look();
      }
      expect([...owed]).toEqual([]);
      await one.queue.close();
    }),
    { numRuns: 60 },
  );
});
