import { conflict } from '../api/errors.ts';
import { type Deadline, within } from '../runtime/deadline.ts';
import type { LogSnapshot } from '../storage/log/version-log.ts';
import { type MutatingRequest, NO_ADMISSION } from './admission.ts';
import { create } from './create.ts';
import { remove } from './delete.ts';
import { type Expired, expire } from './expire.ts';
import { objectKey } from './keys.ts';
import { decide } from './premise.ts';
import type { ResourceType } from './resource-type.ts';
import { restampedVersion } from './restamped.ts';
import { LostRace } from './stages/commit.ts';
import { type Modification, update } from './update.ts';
import { hubOf } from './versions.ts';
import type { Deleted, DeleteOptions, ObjectRef, WriteOptions, WriteParts, Written } from './write.ts';

/** Another server was faster this often before we give up. */
const MOST_TRIES = 100;

/**
 * The front door for all who change objects; `Objects` is the one for reading. Requests, controllers and plugins come
 * through here alike, each with an identity, so that validation, admission and watches apply to all of them.
 *
 * A write sees at least everything that anyone was acknowledged through this server before it began. Of what was
 * acknowledged through another one, all that makes an object sees everything, too; what changes or removes an object sees
 * that object as it is, and what it is refused for (`Premise`).
 */
export class Registry {
  readonly #parts: WriteParts;

  constructor(parts: WriteParts) {
    this.#parts = parts;
  }

  create(type: ResourceType, namespace: string, document: unknown, options: WriteOptions): Promise<Written> {
    return this.#write(type, () => create(this.#parts, type, namespace, document, options), options.deadline);
  }

  update(ref: ObjectRef, change: Modification, options: WriteOptions): Promise<Written> {
    const write = (decided: WriteOptions) => update(this.#parts, ref, change, decided);
    if (hubOf(ref.type).reserve) return this.#write(ref.type, () => write(options), options.deadline);
    return this.#change(ref.type, ref.namespace, ref.name, options, write);
  }

  delete(type: ResourceType, namespace: string, name: string, options: DeleteOptions): Promise<Deleted> {
    const write = (decided: DeleteOptions) => remove(this.#parts, type, namespace, name, decided);
    return this.#change(type, namespace, name, options, write);
  }

  /** Removes what is stored for a time only, once that is over; see `expire`. */
  expire(expired: Expired, term?: Deadline): Promise<void> {
    return expire(this.#parts, expired, term);
  }

  /** Changes or removes what is there. What is only tried never reaches the store, so it begins with what is current. */
  #change<O extends WriteOptions, W extends Written>(
    type: ResourceType,
    namespace: string,
    name: string,
    options: O,
    write: (options: O) => Promise<W>,
  ): Promise<W> {
    const { log } = this.#parts;
    if (!log.isShared) return write(options);
    const { deadline, dryRun } = options;
    if (dryRun) return this.#writeShared(type, () => write(options), deadline);
    const key = objectKey(type, namespace, name);
    const isNewest = ({ version }: W): boolean => version !== undefined && log.get(key)?.revision === version.revision;
    return decide(log, deadline, (premise) => write({ ...options, premise }), isNewest);
  }

  #write<T>(type: ResourceType, write: () => Promise<T>, deadline: Deadline | undefined): Promise<T> {
    return this.#parts.log.isShared ? this.#writeShared(type, write, deadline) : write();
  }

  /**
   * Where several servers take from one supply, writes that do so are made one after the other on each, and begin anew
   * when one on another server came between.
   */
  async #writeShared<T>(type: ResourceType, write: () => Promise<T>, deadline: Deadline | undefined): Promise<T> {
    const caughtUp = () => within(deadline, this.#parts.log.caughtUp());
    await caughtUp();
    const { reserve, collection, group, plural } = hubOf(type);
    if (!reserve) return write();
    const tryAgain = async (): Promise<T> => {
      for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
        try {
          return await write();
        } catch (error) {
          if (!(error instanceof LostRace)) throw error;
        }
        await caughtUp();
      }
      throw conflict({ group, resource: plural }, '', 'too many others are being written');
    };
    return this.#parts.log.inTurn(`/${collection}/`, tryAgain, deadline);
  }

  /**
   * The same door for what follows from something that has been through admission under a name of its own, as the change
   * of a pod follows from its binding, and for what must be there before anyone can be asked.
   */
  get pastAdmission(): Registry {
    return new Registry({ ...this.#parts, admission: NO_ADMISSION });
  }

  /** All that is stored at this moment, to be put back. To take one costs next to nothing. */
  snapshot(): LogSnapshot {
    return this.#parts.log.snapshot();
  }

  /**
   * Puts back what was stored when a snapshot of this registry was taken. Nobody is asked, since all of it has been
   * admitted before; revisions go on upwards, and all who watch have to list again.
   */
  restore(snapshot: LogSnapshot): Promise<void> {
    return this.#parts.log.restore(snapshot, restampedVersion);
  }

  /** Asks admission about something that is done rather than stored. It may change `request.object`, and throws to refuse. */
  async admit(request: MutatingRequest): Promise<void> {
    await this.#parts.admission.mutate(request);
    await this.#parts.admission.validate(request);
  }
}
