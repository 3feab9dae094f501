import { type AnyObject, isRefusal } from '../../../client/plane-client.ts';
import type { Pod } from '../../../kinds/core/pod/pod.ts';
import { sleep } from '../../../runtime/runtime.ts';
import { CommandError } from '../frame/failure.ts';
import { write } from '../frame/io.ts';
import type { Session } from '../frame/session.ts';
import type { DryRun } from '../frame/write-flags.ts';
import type { ObjectWrites } from '../resources/object-writes.ts';
import type { ServedResource } from '../resources/served-resources.ts';
import type { Deadline } from '../watching/deadline.ts';

const RETRY_MS = 5000;
const LOOK_MS = 1000;

export interface EvictionSettings {
  readonly dryRun: DryRun;
  /** Seconds; below zero for what the pod says itself. */
  readonly gracePeriod: number;
  /** Delete instead, whatever budgets for disruption say. */
  readonly disableEviction: boolean;
}

/** Evicts pods, all at once, and waits until they are gone. */
export class Evictions {
  readonly #session: Session;
  readonly #writes: ObjectWrites;
  readonly #pods: ServedResource;
  readonly #settings: EvictionSettings;
  readonly #deadline: Deadline;

  constructor(
    session: Session,
    writes: ObjectWrites,
    pods: ServedResource,
    settings: EvictionSettings,
    deadline: Deadline,
  ) {
    this.#session = session;
    this.#writes = writes;
    this.#pods = pods;
    this.#settings = settings;
    this.#deadline = deadline;
  }

  /** Throws when a pod cannot be evicted, or is not gone in time. */
  async evict(pod: Pod): Promise<void> {
    const { dryRun, disableEviction } = this.#settings;
    const { namespace, name } = pod.metadata;
    const suffix = dryRun === 'none' ? '' : dryRun === 'server' ? ' (server dry run)' : ' (dry run)';
    const doing = disableEviction ? 'deleting' : 'evicting';
    if (!disableEviction || dryRun !== 'none') await this.#tell(`${doing} pod ${namespace}/${name}${suffix}`);
    if (dryRun === 'client') return;
    if (!(await this.#ask(pod))) return;
    if (dryRun === 'server') return;
    await this.#untilGone(pod);
    await this.#tell(`pod/${name} ${disableEviction ? 'deleted' : 'evicted'}`);
  }

  /** False when it has gone before. A budget that allows none now may allow one later. */
  async #ask({ metadata }: Pod): Promise<boolean> {
    const { name = '', namespace = '' } = metadata;
    const target = { kind: this.#pods, namespace, name };
    const { gracePeriod, disableEviction } = this.#settings;
    const options = gracePeriod < 0 ? {} : { gracePeriodSeconds: gracePeriod };
    while (true) {
      try {
        if (disableEviction) await this.#writes.delete(target, options);
        else await this.#post(target, options);
        return true;
      } catch (error) {
        if (isRefusal(error, 'NotFound')) return false;
        if (!isRefusal(error, 'TooManyRequests')) {
          const message = error instanceof Error ? error.message : String(error);
          throw new CommandError(
            `error when evicting pods/${JSON.stringify(name)} -n ${JSON.stringify(namespace)}: ${message}`,
          );
        }
        const told = `error when evicting pods/${JSON.stringify(name)} -n ${JSON.stringify(namespace)} (will retry after 5s): ${error.message}`;
        await write(this.#session.io.stderr, `${told}\n`);
        await this.#pause(RETRY_MS, `error when evicting pods/${JSON.stringify(name)} -n ${JSON.stringify(namespace)}`);
      }
    }
  }

  #post(target: { kind: ServedResource; namespace: string; name: string }, deleteOptions: object): Promise<AnyObject> {
    const { name, namespace } = target;
    return this.#writes.post(
      { ...target, subresource: 'eviction' },
      { kind: 'Eviction', apiVersion: 'policy/v1', metadata: { name, namespace }, deleteOptions },
    );
  }

  async #untilGone({ metadata }: Pod): Promise<void> {
    const { name = '', namespace = '', uid } = metadata;
    while (true) {
      const found = await this.#writes.find({ kind: this.#pods, namespace, name });
      if (!found || found.metadata.uid !== uid) return;
      await this.#pause(
        LOOK_MS,
        `error when waiting for pod ${JSON.stringify(name)} in namespace ${JSON.stringify(namespace)} to terminate`,
      );
    }
  }

  async #pause(milliseconds: number, doing: string): Promise<void> {
    await Promise.race([
      sleep(this.#session.runtime, milliseconds),
      new Promise<void>((resolve) => this.#deadline.signal.addEventListener('abort', () => resolve(), { once: true })),
    ]);
    this.#deadline.demandPatience();
    if (this.#deadline.isOver) throw new CommandError(`${doing}: global timeout reached`);
  }

  #tell(text: string): Promise<void> {
    return write(this.#session.io.stdout, `${text}\n`);
  }
}
