import assert from 'node:assert/strict';
import type { Version, VersionLog } from '../../src/storage/log/version-log.ts';
import type { Document } from '../support/client.ts';

export const COLLECTION = 'configmaps';

/** One object in one state, as far as histories care. */
export interface State {
  readonly revision: number;
  readonly namespace: string;
  readonly name: string;
  readonly color: string | undefined;
  /** Says which write made it: no two write the same. */
  readonly mark: string | undefined;
}

export interface Change extends State {
  readonly deleted: boolean;
}

/** What a client asks for; all of it when nothing is said. */
export interface Choice {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly color?: string | undefined;
}

export interface Event extends State {
  readonly type: string;
}

export const stateOf = ({ metadata, data }: Document): State => ({
  revision: Number(metadata.resourceVersion),
  namespace: metadata.namespace,
  name: metadata.name,
  color: metadata.labels?.color,
  mark: data?.mark,
});

const keyOf = ({ namespace, name }: State): string => `${namespace}/${name}`;

export const isChosen = (state: State, choice: Choice): boolean =>
  (choice.namespace ?? state.namespace) === state.namespace &&
  (choice.name ?? state.name) === state.name &&
  (choice.color ?? state.color) === state.color;

/** The plainest model there is: all changes in order. Everything else is played from it. */
export class Truth {
  readonly changes: Change[] = [];

  get newest(): number {
    return this.changes.at(-1)?.revision ?? 0;
  }

  /** Goes on taking down what the log tells, after what is known; nothing may be gone from in between. */
  follow(log: VersionLog): void {
    log.subscribe(
      COLLECTION,
      { after: Math.max(this.newest, this.changes.length === 0 ? log.compacted : 0) },
      {
        onVersions: (versions) => {
          for (const version of versions) this.#take(version);
        },
      },
    );
  }

  /** In key order. */
  stateAt(revision: number, choice: Choice = {}): State[] {
    const states = [...this.#replay(revision).values()].filter((state) => isChosen(state, choice));
    return states.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  /** What a watch from right after `revision` is told; an object that enters a choice is added, one that leaves deleted. */
  eventsAfter(revision: number, choice: Choice): Event[] {
    const states = this.#replay(revision);
    return this.changes
      .filter((change) => change.revision > revision)
      .flatMap((change) => {
        const before = states.get(keyOf(change));
        play(states, change);
        const was = before !== undefined && isChosen(before, choice);
        const is = !change.deleted && isChosen(change, choice);
        const { deleted, ...state } = change;
        if (is) return [{ ...state, type: was ? 'MODIFIED' : 'ADDED' }];
        return was ? [{ ...before, revision: change.revision, type: 'DELETED' }] : [];
      });
  }

  /** The change that a write was told it made; it must stand on the revision that the write expected, if it did. */
  confirm(state: State, expected?: number): void {
    const at = this.changes.findIndex(({ revision }) => revision === state.revision);
    assert.deepEqual(this.changes[at], { ...state, deleted: false });
    if (expected === undefined) return;
    const before = this.changes.slice(0, at).findLast((change) => keyOf(change) === keyOf(state));
    assert.equal(before?.revision, expected);
    assert.equal(before?.deleted, false);
  }

  #take({ revision, bytes, deleted }: Version): void {
    assert(revision > this.newest, `${revision} came after ${this.newest}`);
    const state = stateOf(JSON.parse(bytes.toString()));
    assert.equal(state.revision, revision);
    this.changes.push({ ...state, deleted });
  }

  #replay(revision: number): Map<string, State> {
    const states = new Map<string, State>();
    for (const change of this.changes) if (change.revision <= revision) play(states, change);
    return states;
  }
}

function play(states: Map<string, State>, { deleted, ...state }: Change): void {
  if (deleted) states.delete(keyOf(state));
  else states.set(keyOf(state), state);
}
