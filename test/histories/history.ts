import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Backend } from '../../src/storage/backend.ts';
import { ShiftableRuntime } from '../support/shiftable-runtime.ts';
import { Lister, type Reading } from './lister.ts';
import { openPlane, type Plane } from './plane.ts';
import { settle } from './simulated-world.ts';
import { type Choice, stateOf, Truth } from './truth.ts';
import { type Start, Watcher } from './watcher.ts';

const RETENTION_MS = 30_000;
const NAMESPACES = ['a', 'ab', 'b'];
const NAMES = ['x', 'y', 'z'];
const COLORS = ['red', 'blue'];

/** What a writer does to an object; `stale`: on a revision that is not its newest. */
interface Attempt {
  readonly namespace: string;
  readonly name: string;
  readonly color: string;
  readonly does: 'create' | 'replace' | 'compare' | 'stale' | 'delete';
  readonly large: boolean;
}

/** `age`: 0 is now, 1 is a little before the oldest that is retained. */
export type Step =
  | { readonly does: 'write'; readonly attempts: readonly Attempt[]; readonly waits: boolean }
  | { readonly does: 'watch'; readonly choice: Choice; readonly start: '' | '0' | 'age'; age: number; lazy: boolean }
  | { readonly does: 'list'; readonly choice: Choice; mode: Reading['mode']; age: number; limit: number }
  | { readonly does: 'continue' | 'look' | 'unwatch' | 'restart' }
  | { readonly does: 'pass'; readonly milliseconds: number };

const maybe = <T>(values: readonly T[]): fc.Arbitrary<T | undefined> =>
  fc.option(fc.constantFrom(...values), { nil: undefined, freq: 1 });
const choice: fc.Arbitrary<Choice> = fc.record({
  namespace: maybe(NAMESPACES),
  name: maybe(NAMES),
  color: maybe(COLORS),
});
const age = fc.double({ min: 0, max: 1, noNaN: true });

const attempt: fc.Arbitrary<Attempt> = fc.record({
  namespace: fc.constantFrom(...NAMESPACES),
  name: fc.constantFrom(...NAMES),
  color: fc.constantFrom(...COLORS),
  does: fc.constantFrom('create', 'create', 'replace', 'compare', 'stale', 'delete'),
  large: fc.nat(9).map((n) => n === 0),
});

const does = <const D extends string>(word: D) => fc.constant(word);

/** Any step, writes more often than others. */
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      does: does('write'),
      attempts: fc.array(attempt, { minLength: 1, maxLength: 5 }),
      waits: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: does('watch'),
      choice,
      start: fc.constantFrom('', '0', 'age'),
      age,
      lazy: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: does('list'),
      choice,
      mode: fc.constantFrom('unset', 'zero', 'exact', 'not older than'),
      age,
      limit: fc.nat(3),
    }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constantFrom('continue', 'continue', 'look', 'unwatch', 'restart') }) },
  { weight: 2, arbitrary: fc.record({ does: does('pass'), milliseconds: fc.nat(RETENTION_MS) }) },
);

/** A plane over one body of data, its clients, and the truth about it. */
export class History {
  readonly runtime = new ShiftableRuntime();
  readonly #makeBackend: (runtime: ShiftableRuntime) => Backend;
  readonly #historyMemory: number;
  readonly #truth = new Truth();
  readonly #watchers: Watcher[] = [];
  readonly #listers: Lister[] = [];
  #underWay: Promise<void>[] = [];
  #acknowledged = 0;
  #marks = 0;
  #plane: Plane | undefined;

  /** `makeBackend` gives a backend over the same data each time; the one before has been closed. */
  constructor(makeBackend: (runtime: ShiftableRuntime) => Backend, historyMemory: number) {
    this.#makeBackend = makeBackend;
    this.#historyMemory = historyMemory;
  }

  async play(steps: readonly Step[]): Promise<void> {
    await this.#open();
    try {
      for (const step of steps) {
        await this.#take(step);
        await settle();
        for (const watcher of this.#watchers) watcher.check();
      }
      await this.#finish();
    } finally {
      await this.#current.log.close();
    }
  }

  get #current(): Plane {
    assert(this.#plane);
    return this.#plane;
  }

  async #open(): Promise<void> {
    this.#plane = await openPlane(this.#makeBackend(this.runtime), this.runtime, {
      retentionMs: RETENTION_MS,
      historyMemory: this.#historyMemory,
    });
    this.#truth.follow(this.#plane.log);
  }

  async #take(step: Step): Promise<void> {
    switch (step.does) {
      case 'write':
        return this.#write(step.attempts, step.waits);
      case 'watch':
        return this.#watch(step.choice, step.start === 'age' ? this.#revisionOf(step.age) : step.start, step.lazy);
      case 'list':
        return this.#list({ ...step, revision: this.#revisionOf(step.age) });
      case 'continue':
        return this.#continue();
      case 'look':
        return this.#look();
      case 'unwatch':
        return this.#watchers.pop()?.stop();
      case 'restart':
        return this.#restart();
      case 'pass':
        return this.runtime.advance(step.milliseconds);
    }
  }

  /** At times a little before what is retained. Never 0, which means something else. */
  #revisionOf(age: number): number {
    const { compacted, revision } = this.#current.log;
    const oldest = Math.max(1, compacted - 2);
    return Math.round(revision - age * (revision - oldest));
  }

  /** All at once, as several clients would; those that are not waited for go on beside the next steps. */
  async #write(attempts: readonly Attempt[], waits: boolean): Promise<void> {
    for (const attempt of attempts) {
      const writing = this.#attempt(attempt);
      // Whoever waits for it hears of it.
      writing.catch(() => undefined);
      this.#underWay.push(writing);
    }
    if (waits) await this.#join();
  }

  async #join(): Promise<void> {
    const underWay = this.#underWay;
    this.#underWay = [];
    await Promise.all(underWay);
  }

  async #attempt({ namespace, name, color, does, large }: Attempt): Promise<void> {
    const collection = `/api/v1/namespaces/${namespace}/configmaps`;
    const target = `${collection}/${name}`;
    if (does === 'delete') {
      const { status } = await this.#current.request('DELETE', target);
      assert([200, 404, 409].includes(status), `a deletion was answered ${status}`);
      if (status === 200) this.#acknowledged++;
      return;
    }
    const data = { mark: String(++this.#marks), ...(large ? { filling: 'x'.repeat(40_000) } : {}) };
    const document = { metadata: { namespace, name, labels: { color } }, data };
    if (does === 'create') return this.#confirm(await this.#current.request('POST', collection, document));
    const expected = this.#expectedBy(does, namespace, name);
    if (expected === undefined) return this.#confirm(await this.#current.request('PUT', target, document));
    const versioned = { ...document, metadata: { ...document.metadata, resourceVersion: String(expected) } };
    return this.#confirm(await this.#current.request('PUT', target, versioned), expected);
  }

  #expectedBy(does: Attempt['does'], namespace: string, name: string): number | undefined {
    if (does === 'replace') return undefined;
    const [now] = this.#truth.stateAt(this.#truth.newest, { namespace, name });
    return now === undefined ? undefined : now.revision - (does === 'stale' ? 1 : 0);
  }

  #confirm({ status, body }: Awaited<ReturnType<Plane['request']>>, expected?: number): void {
    assert([200, 201, 404, 409].includes(status), `a write was answered ${status}: ${body.message}`);
    if (status >= 400) return;
    this.#acknowledged++;
    this.#truth.confirm(stateOf(body), expected);
  }

  async #watch(choice: Choice, start: Start, lazy: boolean): Promise<void> {
    const watcher = new Watcher(this.#truth, choice, lazy);
    if (await watcher.start(this.#current, start)) this.#watchers.push(watcher);
  }

  async #list(reading: Reading): Promise<void> {
    const lister = new Lister(this.#truth, reading);
    await lister.start(this.#current);
    if (!lister.isDone) this.#listers.push(lister);
  }

  async #continue(): Promise<void> {
    const lister = this.#listers.shift();
    await lister?.continue(this.#current);
    if (lister && !lister.isDone) this.#listers.push(lister);
  }

  /** Lazy readers take what has come. */
  async #look(): Promise<void> {
    for (const watcher of this.#watchers) watcher.resume();
    await settle();
    for (const watcher of this.#watchers) watcher.pause();
  }

  async #restart(): Promise<void> {
    await this.#join();
    for (const watcher of this.#watchers) await watcher.stop();
    await this.#current.log.close();
    await this.#open();
    for (const watcher of this.#watchers) await watcher.comeBack(this.#current);
  }

  async #finish(): Promise<void> {
    await this.#join();
    for (const watcher of this.#watchers) await watcher.finish();
    while (this.#listers.length > 0) await this.#continue();
    assert.equal(this.#truth.changes.length, this.#acknowledged);
    const made = this.#truth.changes.filter(({ deleted }) => !deleted).map(({ mark }) => mark);
    assert.equal(new Set(made).size, made.length);
  }
}
