import {
  type AnyObject,
  type Client,
  fromKey,
  type Informer,
  keyOf,
  type Runtime,
  WorkQueue,
} from '../../client/index.ts';
import { DueTimes } from './due-times.ts';
import { delayOf, isSelected } from './matching.ts';
import { bringAbout } from './outcome.ts';
import type { Stage } from './stage.ts';

/** Objects that are looked at at the same time. */
const WORKERS = 8;
/** A stage that an object stays in is gone through at most so often. */
const LEAST_REPEAT_MS = 1_000;

export interface StageSurroundings {
  readonly client: Client;
  readonly runtime: Runtime;
  /** What chance is drawn from. */
  readonly seed: string;
  onError(what: string, error: unknown): void;
}

/** The objects of a kind, and what becomes of them. */
export type FollowedObjects = Pick<Informer, 'store' | 'handle' | 'close'>;

/** An object in a stage. */
interface Stay {
  readonly uid: string;
  readonly stage: Stage;
  /** How often the object has gone through it before, without another in between. */
  readonly round: number;
  /** When it is over. */
  readonly end: number;
  /** The version that going through it led to. What is older has not been seen since. */
  readonly version: bigint;
  /** Going through it changed nothing, so it would not do so again. */
  readonly isVain: boolean;
}

/**
 * Leads the objects of one kind through stages: each is in the first of them that selects it. Whatever becomes of an object
 * on the way, by whomever, is looked at anew: a stage that does not select it any longer is over without an outcome.
 */
export class StageRunner {
  readonly #surroundings: StageSurroundings;
  readonly #informer: FollowedObjects;
  readonly #queue: WorkQueue;
  readonly #due: DueTimes;
  readonly #stays = new Map<string, Stay>();
  #stages: readonly Stage[] = [];

  constructor(surroundings: StageSurroundings, informer: FollowedObjects) {
    this.#surroundings = surroundings;
    this.#informer = informer;
    this.#due = new DueTimes(surroundings.runtime, (key) => this.#queue.add(key));
    this.#queue = new WorkQueue({
      runtime: surroundings.runtime,
      workers: WORKERS,
      handle: (key) => this.#look(key),
      onError: surroundings.onError,
    });
    const look = (object: AnyObject): void => this.#queue.add(keyOf(object));
    informer.handle({ added: look, changed: look, removed: look });
  }

  /** The stages from now on; the first that selects an object is its. */
  replace(stages: readonly Stage[]): void {
    this.#stages = stages;
    for (const object of this.#informer.store.list()) this.#queue.add(keyOf(object));
  }

  async close(): Promise<void> {
    this.#due.clear();
    await this.#queue.close();
    this.#due.clear();
    this.#informer.close();
  }

  async #look(key: string): Promise<void> {
    const { namespace, name } = fromKey(key);
    const object = this.#informer.store.get(name, namespace);
    const stage = object && this.#stages.find(({ when }) => isSelected(when, object));
    if (!object || !stage) {
      this.#due.delete(key);
      if (!object) this.#stays.delete(key);
      return;
    }
    const former = this.#stays.get(key);
    if (former && former.uid === object.metadata.uid && versionOf(object) < former.version) return;
    const stay = this.#stayIn(stage, object, former);
    this.#stays.set(key, stay);
    if (stay.isVain && versionOf(object) === stay.version) return;
    const left = stay.end - this.#surroundings.runtime.monotonic();
    if (left > 0) this.#due.set(key, left);
    else await this.#leave(key, stay, object);
  }

  #stayIn(stage: Stage, object: AnyObject, former: Stay | undefined): Stay {
    const { uid = '' } = object.metadata;
    if (former?.uid === uid && former.stage === stage) return former;
    const { runtime } = this.#surroundings;
    const end = runtime.monotonic() + this.#delay(stage, object, 0);
    return { uid, stage, round: 0, end, version: former?.uid === uid ? former.version : 0n, isVain: false };
  }

  async #leave(key: string, stay: Stay, object: AnyObject): Promise<void> {
    const { stage } = stay;
    const { client, runtime } = this.#surroundings;
    const outcome = typeof stage.next === 'function' ? await stage.next(object) : stage.next;
    const result = await bringAbout(outcome, object, { client, kind: stage.kind, now: runtime.now() });
    if (!result) return;
    const round = stay.round + 1;
    const delay = this.#delay(stage, result, round);
    const version = versionOf(result);
    const isVain = delay === 0 && version === versionOf(object);
    const end = runtime.monotonic() + Math.max(LEAST_REPEAT_MS, delay);
    this.#stays.set(key, { ...stay, round, version, isVain, end });
    // Where nothing has changed, no change will bring it back here.
    if (!isVain) this.#queue.add(key);
  }

  #delay({ name, delay = 0 }: Stage, object: AnyObject, round: number): number {
    const wanted = typeof delay === 'function' ? delay(object) : delay;
    return delayOf(wanted, this.#surroundings.seed, object.kind, keyOf(object), name, String(round));
  }
}

const versionOf = ({ metadata }: AnyObject): bigint => BigInt(metadata.resourceVersion ?? '0');
