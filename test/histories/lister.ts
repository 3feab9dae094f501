import assert from 'node:assert/strict';
import type { Document } from '../support/client.ts';
import type { Plane } from './plane.ts';
import { type Choice, type State, stateOf, type Truth } from './truth.ts';
import { targetOf } from './watcher.ts';

export interface Reading {
  readonly choice: Choice;
  readonly mode: 'unset' | 'zero' | 'exact' | 'not older than';
  /** For modes that name a revision. */
  readonly revision: number;
  /** 0: all at once. */
  readonly limit: number;
}

function parametersOf({ mode, revision, limit }: Reading): Record<string, string> {
  const size: Record<string, string> = limit > 0 ? { limit: String(limit) } : {};
  if (mode === 'unset') return size;
  if (mode === 'zero') return { ...size, resourceVersion: '0' };
  const resourceVersionMatch = mode === 'exact' ? 'Exact' : 'NotOlderThan';
  return { ...size, resourceVersion: String(revision), resourceVersionMatch };
}

/** A client that reads a list page by page, whatever happens in between; held against the truth. */
export class Lister {
  readonly #truth: Truth;
  readonly #reading: Reading;
  #items: State[] = [];
  #revision = 0;
  #token = '';
  /** Nothing holds the rest of the list together any more. */
  #inconsistent = false;

  constructor(truth: Truth, reading: Reading) {
    this.#truth = truth;
    this.#reading = reading;
  }

  get isDone(): boolean {
    return this.#token === '';
  }

  async start(plane: Plane): Promise<void> {
    const { mode, revision, choice } = this.#reading;
    const { newest } = this.#truth;
    const { status, body } = await plane.request('GET', targetOf(choice, parametersOf(this.#reading)));
    if (status === 410) {
      assert(mode === 'exact' && revision < plane.log.compacted, `${mode} ${revision} was refused`);
      return;
    }
    assert.equal(status, 200, body.message);
    this.#revision = Number(body.metadata.resourceVersion);
    if (mode === 'unset') assert(this.#revision >= newest, `a list at ${this.#revision} missed ${newest}`);
    if (mode === 'not older than') assert(this.#revision >= revision);
    if (mode === 'exact') assert.equal(this.#revision, revision);
    this.#take(body);
  }

  async continue(plane: Plane): Promise<void> {
    const { choice, limit } = this.#reading;
    const parameters = { limit: String(limit), continue: this.#token };
    const { status, body } = await plane.request('GET', targetOf(choice, parameters));
    if (status === 410) {
      assert(!this.#inconsistent && this.#revision < plane.log.compacted, `${this.#revision} is gone too early`);
      this.#inconsistent = true;
      this.#token = body.metadata.continue ?? '';
      assert.notEqual(this.#token, '');
      return;
    }
    assert.equal(status, 200, body.message);
    if (this.#inconsistent) this.#begin(Number(body.metadata.resourceVersion));
    else assert.equal(Number(body.metadata.resourceVersion), this.#revision);
    this.#take(body);
  }

  /** A list that goes on inconsistently is a new one that begins after what was read. */
  #begin(revision: number): void {
    this.#inconsistent = false;
    this.#revision = revision;
    const last = this.#items.at(-1);
    this.#items = this.#expected().filter((state) => last !== undefined && !isAfter(state, last));
  }

  #expected(): State[] {
    return this.#truth.stateAt(this.#revision, this.#reading.choice);
  }

  #take({ items, metadata }: Document): void {
    const expected = this.#expected();
    this.#items.push(...items.map(stateOf));
    this.#token = metadata.continue ?? '';
    assert.deepEqual(this.#items, expected.slice(0, this.#items.length));
    if (this.#token === '') assert.equal(this.#items.length, expected.length);
    const { remainingItemCount } = metadata;
    if (remainingItemCount !== undefined) assert.equal(remainingItemCount, expected.length - this.#items.length);
  }
}

const isAfter = (a: State, b: State): boolean => `${a.namespace}/${a.name}` > `${b.namespace}/${b.name}`;
