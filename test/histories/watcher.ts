import assert from 'node:assert/strict';
import type { InjectedStream } from '../../src/http/inject.ts';
import type { Document } from '../support/client.ts';
import type { Plane } from './plane.ts';
import { settle } from './simulated-world.ts';
import { type Choice, type Event, stateOf, type Truth } from './truth.ts';

/** Where a watch begins: with what is there (`''` now, `0` any), or right after a revision. */
export type Start = '' | '0' | number;

/** The path and query that ask for a choice. */
export function targetOf({ namespace, name, color }: Choice, parameters: Record<string, string>): string {
  const query = new URLSearchParams(parameters);
  if (color !== undefined) query.set('labelSelector', `color=${color}`);
  if (name !== undefined) query.set('fieldSelector', `metadata.name=${name}`);
  return `/api/v1/${namespace === undefined ? '' : `namespaces/${namespace}/`}configmaps?${query}`;
}

/** A client that watches, at its own pace, and resumes where it was when it is cut off; held against the truth. */
export class Watcher {
  readonly #truth: Truth;
  readonly #choice: Choice;
  /** A lazy reader takes what has come only when told to. */
  readonly #lazy: boolean;
  readonly #received: Event[] = [];
  /** Revisions the watch may have begun at; a watch that races with writes leaves several open at first. */
  #begins: number[] = [];
  #initial = false;
  /** Where to resume; what a bookmark promised included. */
  #position = 0;
  #stream: InjectedStream | undefined;
  #reading: Promise<void> = Promise.resolve();
  #rest = '';
  #open = (): void => undefined;
  #gate: Promise<void> | undefined;
  #problem: unknown;

  constructor(truth: Truth, choice: Choice, lazy: boolean) {
    this.#truth = truth;
    this.#choice = choice;
    this.#lazy = lazy;
  }

  /** False when the server refuses, as it must when and only when that part of history is gone. */
  async start(plane: Plane, from: Start): Promise<boolean> {
    const earliest = this.#truth.newest;
    const parameters = { watch: 'true', allowWatchBookmarks: 'true', resourceVersion: String(from) };
    const stream = await plane.watch(targetOf(this.#choice, parameters));
    if (stream.status === 410) {
      assert(typeof from === 'number' && from < plane.log.compacted, `${from} was refused, but it is retained`);
      return false;
    }
    assert.equal(stream.status, 200);
    if (typeof from === 'number') this.#beginAfter(from);
    else this.#beginWithState(earliest);
    this.#stream = stream;
    this.#rest = '';
    this.#reading = this.#read(stream).catch((error: unknown) => {
      this.#problem = error;
    });
    if (this.#lazy) this.pause();
    return true;
  }

  pause(): void {
    this.#gate = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  resume(): void {
    this.#gate = undefined;
    this.#open();
  }

  /** Everything that came is what should have come, as far as it goes. */
  check(): void {
    if (this.#problem !== undefined) throw this.#problem;
    const fitting = this.#begins.filter((begin) => startsWith(this.#expected(begin), this.#received));
    if (fitting.length === 0) assert.deepEqual(this.#received, this.#expected(this.#begins[0] ?? 0));
    this.#begins = fitting;
  }

  /** Everything has come. */
  async finish(): Promise<void> {
    this.resume();
    for (let turn = 0; turn < 500 && !this.#isComplete(); turn++) await settle();
    await settle();
    this.check();
    assert(
      this.#isComplete(),
      `only ${this.#received.length} events of ${this.#expected(this.#begins[0] ?? 0).length}`,
    );
    await this.stop();
    this.check();
  }

  async stop(): Promise<void> {
    this.resume();
    this.#stream?.shutdown();
    await this.#reading;
  }

  /** Goes on where it was; begins anew when that is not possible, as a client has to. */
  async comeBack(plane: Plane): Promise<void> {
    this.check();
    const position = this.#knowsPosition() ? this.#position : 0;
    this.#received.length = 0;
    if (position === 0 || !(await this.start(plane, position))) assert(await this.start(plane, ''));
  }

  /** Not before everything that was there at the beginning has come: that is not in the order of revisions. */
  #knowsPosition(): boolean {
    if (!this.#initial) return true;
    return (
      this.#received.length > 0 && this.#begins.every((begin) => this.#received.length >= this.#stateAt(begin).length)
    );
  }

  #beginAfter(revision: number): void {
    this.#initial = false;
    this.#begins = [revision];
    this.#position = Math.max(this.#position, revision);
  }

  #beginWithState(earliest: number): void {
    this.#initial = true;
    this.#position = 0;
    const later = this.#truth.changes.map(({ revision }) => revision).filter((revision) => revision > earliest);
    this.#begins = [earliest, ...later];
  }

  #stateAt(revision: number): Event[] {
    return this.#truth.stateAt(revision, this.#choice).map((state) => ({ ...state, type: 'ADDED' }));
  }

  #expected(begin: number): Event[] {
    return [...(this.#initial ? this.#stateAt(begin) : []), ...this.#truth.eventsAfter(begin, this.#choice)];
  }

  #isComplete(): boolean {
    return this.#begins.some((begin) => this.#received.length >= this.#expected(begin).length);
  }

  async #read(stream: InjectedStream): Promise<void> {
    for await (const part of stream.body) {
      while (this.#gate !== undefined) await this.#gate;
      const lines = (this.#rest + part.toString()).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) this.#take(JSON.parse(line));
    }
    assert.equal(this.#rest, '', 'a watch ended amid an event');
  }

  #take({ type, object }: { type: string; object: Document }): void {
    const state = stateOf(object);
    const isInitial = this.#initial && type === 'ADDED';
    if (!isInitial) assert(type === 'BOOKMARK' ? state.revision >= this.#position : state.revision > this.#position);
    this.#position = Math.max(this.#position, state.revision);
    if (type !== 'BOOKMARK') this.#received.push({ ...state, type });
  }
}

const startsWith = (whole: readonly Event[], part: readonly Event[]): boolean =>
  part.length <= whole.length && part.every((event, at) => same(event, whole[at]));

const same = (a: Event, b: Event | undefined): boolean =>
  a.type === b?.type &&
  a.revision === b.revision &&
  a.mark === b.mark &&
  a.name === b.name &&
  a.namespace === b.namespace;
