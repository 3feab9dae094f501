import assert from 'node:assert/strict';
import type { Change } from '../../src/client/informing/changes.ts';
import { Informer } from '../../src/client/informing/informer.ts';
import type { AnyObject } from '../../src/client/plane-client.ts';
import type { ServedKind } from '../../src/client/served-kind.ts';
import { SimulatedWorld, settle } from '../histories/simulated-world.ts';
import { emptyTally, type InitialEvents, ModelledPlane, type Tally } from './modelled-plane.ts';
import { keyOf, type Scope, type Thing } from './version-model.ts';

export { emptyTally, type Tally } from './modelled-plane.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const KIND: ServedKind = {
  group: '',
  version: 'v1',
  plural: 'things',
  kind: 'Thing',
  namespaced: true,
  verbs: ['list', 'watch'],
};
/** A plane that is away, a request without an answer, a dead connection, the longest pause: by then all is well again. */
const RECOVERY = 18 * MINUTE;
const CALM = 60 * MINUTE;
/** A watch ends every five to ten minutes. */
const MOST_CALM_ATTEMPTS = CALM / (5 * MINUTE) + 2;

type Followed = Thing & AnyObject;

/** Plays one seed; rejects with what went wrong and when. */
export async function simulateInformer(seed: number, hours: number, tally: Tally = emptyTally()): Promise<void> {
  const history = new InformerHistory(seed, tally);
  try {
    await history.run(hours * HOUR);
  } catch (cause) {
    const minute = (history.elapsed / MINUTE).toFixed(1);
    throw new Error(`seed ${seed}, minute ${minute}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/** An informer of a plane that is written to, compacted and cut off, and everything that it claims. */
class InformerHistory {
  readonly #world: SimulatedWorld;
  readonly #plane: ModelledPlane;
  readonly #informer: Informer<Followed, 'byNote'>;
  readonly #scope: Scope;
  readonly #tally: Tally;
  readonly #pace: number;
  /** What handlers were called with, and what a slow reader of changes was. */
  readonly #handled = new Map<string, Followed>();
  readonly #read = new Map<string, Followed>();
  #checked = '';
  #isWriting = true;
  #problem: unknown;

  constructor(seed: number, tally: Tally) {
    const world = new SimulatedWorld(seed);
    const pick = <T>(...choices: readonly [T, ...T[]]): T => choices[world.below(choices.length)] ?? choices[0];
    const initialEvents = pick<InitialEvents>('served', 'refused', 'ignored');
    this.#world = world;
    this.#tally = tally;
    this.#plane = new ModelledPlane(world, tally, pick(0, 0.02, 0.1, 0.3), initialEvents);
    this.#scope = { namespace: pick('', 'a'), onlyOn: pick(true, false), metadataOnly: world.chance(0.2) };
    this.#pace = pick(10_000, MINUTE, 10 * MINUTE);
    this.#informer = new Informer<Followed, 'byNote'>(this.#plane, {
      kind: KIND,
      namespace: this.#scope.namespace,
      ...(this.#scope.onlyOn && { labelSelector: 'on=yes' }),
      metadataOnly: this.#scope.metadataOnly,
      hold: pick('objects', 'text'),
      indexes: { byNote: ({ note = '' }) => note.slice(-1) },
    });
    this.#informer.handle({
      added: (object) => this.#handle({ type: 'added', object }),
      changed: (object, before) => this.#handle({ type: 'changed', object, before }),
      removed: (object) => this.#handle({ type: 'removed', object }),
    });
    void this.#readSlowly();
  }

  get elapsed(): number {
    return this.#world.elapsed;
  }

  async run(milliseconds: number): Promise<void> {
    this.#writeNowAndThen();
    this.#compactNowAndThen();
    await this.#passUntil(milliseconds);
    await this.#calmDown();
    const { attempts } = this.#tally;
    await this.#passUntil(this.elapsed + CALM);
    assert(this.#tally.attempts - attempts <= MOST_CALM_ATTEMPTS, `${this.#tally.attempts - attempts} calm attempts`);
    await this.#comeToRest();
    this.#informer.close();
    const open = this.#plane.handedOver.filter((stream) => !stream.isOver);
    assert.equal(open.length, 0, 'a stream was left open');
  }

  /** The network is well from now on: what was written meanwhile is known soon. */
  async #calmDown(): Promise<void> {
    this.#plane.roughness = 0;
    const { revision } = this.#plane.versions;
    await this.#passUntil(this.elapsed + RECOVERY);
    assert(Number(this.#informer.revision ?? 0) >= revision, `did not come to know ${revision} within minutes`);
  }

  /** Nothing is written any more: the informer learns that, and everyone has been told everything. */
  async #comeToRest(): Promise<void> {
    this.#isWriting = false;
    await this.#passUntil(this.elapsed + 2 * MINUTE);
    assert.equal(Number(this.#informer.revision), this.#plane.versions.revision, 'a bookmark was lost');
    assert.equal(sorted(this.#read), textOf(this.#informer.store.list()), 'a reader of changes knows something else');
  }

  async #passUntil(milliseconds: number): Promise<void> {
    while (this.elapsed < milliseconds) {
      this.#world.pass();
      await settle();
      this.#check();
      const problem = this.#problem ?? this.#plane.problem;
      if (problem !== undefined) throw problem;
    }
  }

  #writeNowAndThen(): void {
    const { process } = this.#plane;
    process.after(this.#world.random() * 2 * this.#pace, () => {
      const count = this.#world.chance(0.02) ? 30 : 1;
      for (let i = 0; i < count && this.#isWriting; i++) this.#plane.write();
      this.#writeNowAndThen();
    });
  }

  #compactNowAndThen(): void {
    const { process } = this.#plane;
    process.after(this.#world.random() * 10 * MINUTE, () => {
      this.#plane.compact(this.#world.chance(0.3) ? 0 : this.#world.below(40));
      if (this.#plane.roughness > 0 && this.#world.chance(0.1)) this.#plane.restart();
      // Another release may take the place of the plane.
      if (this.#plane.roughness > 0 && this.#world.chance(0.02)) this.#plane.initialEvents = 'refused';
      if (this.#plane.roughness > 0 && this.#world.chance(0.1)) this.#breakDown();
      this.#compactNowAndThen();
    });
  }

  /** The plane is away for some minutes. */
  #breakDown(): void {
    this.#plane.isDown = true;
    this.#plane.restart();
    this.#plane.process.after(this.#world.below(10 * MINUTE), () => {
      this.#plane.isDown = false;
    });
  }

  #handle(change: Change<Followed>): void {
    this.#attempt(() => {
      applyTo(this.#handled, change);
      this.#compare();
    });
  }

  /** Reads changes at times one after the other, at times long after they happened. */
  async #readSlowly(): Promise<void> {
    for await (const change of this.#informer.changes()) {
      this.#attempt(() => applyTo(this.#read, change));
      if (!this.#isWriting || this.#world.chance(0.9)) continue;
      await new Promise<void>((resolve) => {
        this.#plane.process.after(this.#world.below(2 * MINUTE), resolve);
      });
    }
  }

  #check(): void {
    const { revision = '' } = this.#informer;
    if (revision === this.#checked) return;
    assert(Number(revision) >= Number(this.#checked), `went back from ${this.#checked} to ${revision}`);
    this.#checked = revision;
    this.#tally.claims++;
    this.#compare();
    assert.equal(
      sorted(this.#handled),
      textOf(this.#informer.store.list()),
      'handlers were called with something else',
    );
  }

  /** What the store holds is what the plane had at the revision that it claims. */
  #compare(): void {
    const { store, revision } = this.#informer;
    const listed = this.#plane.versions.listAt(Number(revision ?? 0), this.#scope);
    assert.equal(textOf(store.list()), textOf(listed), `the store is not what the plane had at ${revision}`);
    const last = String(this.#world.below(10));
    const indexed = listed.filter(({ note = '' }) => note.slice(-1) === last);
    assert.equal(textOf(store.by('byNote', last)), textOf(indexed), 'an index is wrong');
  }

  /** What is thrown here would only be reported to the informer. */
  #attempt(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#problem ??= error;
    }
  }
}

/** Each change begins where the one before it ended. */
function applyTo(known: Map<string, Followed>, change: Change<Followed>): void {
  const key = keyOf(change.object);
  const before = known.get(key);
  if (change.type === 'added') assert.equal(before, undefined, `${key} was added twice`);
  else assert(before, `${key} was ${change.type} before it was added`);
  if (change.type === 'changed') {
    assert.deepEqual(change.before, before, `${key} was something else before`);
    assert.equal(change.object.metadata.uid, change.before.metadata.uid, `${key} became another object`);
  }
  if (change.type === 'removed') known.delete(key);
  else known.set(key, change.object);
}

/** Says of objects what tells their versions apart. */
const textOf = (things: readonly Thing[]): string =>
  things
    .map(({ metadata: m, note = '' }) => `${m.namespace}/${m.name} ${m.uid} ${m.resourceVersion} ${note}`)
    .join('\n');

const sorted = (known: ReadonlyMap<string, Followed>): string =>
  textOf([...known].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object));
