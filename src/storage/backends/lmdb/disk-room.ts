import { open, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Runtime, Timer } from '../../../runtime/runtime.ts';
import type { StoreRoom } from '../../backend.ts';

/** What is kept aside, so that objects can be deleted when the disk is full: a part of the disk, but no more than this. */
const LARGEST_RESERVE = 16 << 20;
const PART_OF_DISK = 1 / 16;
const BLOCK = Buffer.alloc(1 << 20);
const RETRY_MS = 5_000;
/** Nothing that begins has to wait for it. */
const PREPARE_AFTER_MS = 5_000;
/** Why a write failed, as LMDB says it in numbers and Node in letters: no space, quota exceeded. */
const NO_ROOM = new Set<unknown>([28, 122, 'ENOSPC', 'EDQUOT']);

/** How large a file is, and how much of it holds something. */
export type FileUse = Pick<StoreRoom, 'total' | 'used'>;

/**
 * Whether a store may grow. It may not beyond its quota, nor from the moment when a write failed because the disk was full
 * until there is room again: then a file that was kept aside is given up, and what it took is left to deletions.
 */
export class DiskRoom {
  readonly #reserve: string;
  readonly #directory: string;
  readonly #quota: number;
  readonly #runtime: Runtime;
  #reserveBytes = LARGEST_RESERVE;
  #isFull = false;
  #timer: Timer | undefined;
  #attempt: Promise<void> | undefined;
  #lastAttempt = Number.NEGATIVE_INFINITY;

  /** `quota` is in bytes; 0 for none. */
  constructor(directory: string, quota: number, runtime: Runtime) {
    this.#directory = directory;
    this.#reserve = join(directory, 'reserve');
    this.#quota = quota;
    this.#runtime = runtime;
  }

  /** Looks at the disk; the reserve, if it is not there, is set aside in a while. */
  async begin(isNewStore: boolean): Promise<void> {
    const { blocks, bsize } = await statfs(this.#directory);
    this.#reserveBytes =
      Math.ceil(Math.min(LARGEST_RESERVE, blocks * bsize * PART_OF_DISK) / BLOCK.length) * BLOCK.length;
    // The reserve was given up before the last stop, and there is no room for it yet.
    if (!isNewStore && !(await this.#isSetAside())) this.#isFull = (await this.#available()) < this.#reserveBytes;
    this.#timer = this.#runtime.after(PREPARE_AFTER_MS, () => this.#prepare());
  }

  #prepare(): void {
    this.#attempt ??= this.#setAside().finally(() => {
      this.#lastAttempt = this.#runtime.monotonic();
      this.#attempt = undefined;
    });
  }

  /** A write failed. If that was for want of room, the reserve is given up. */
  async failed(cause: unknown): Promise<void> {
    if (!(await this.#isForWantOfRoom(cause))) return;
    await this.#attempt;
    this.#isFull = true;
    await rm(this.#reserve, { force: true });
  }

  room(use: FileUse): StoreRoom {
    if (this.#isFull && use.total - use.used >= 2 * this.#reserveBytes) this.#isFull = false;
    if (this.#isFull && this.#runtime.monotonic() - this.#lastAttempt > RETRY_MS) this.#prepare();
    return { total: use.total, used: use.used, problem: this.#problem(use) };
  }

  async close(): Promise<void> {
    this.#timer?.cancel();
    await this.#attempt;
  }

  #problem({ used }: FileUse): string | undefined {
    if (this.#isFull) return 'the disk of the store is full';
    if (this.#quota > 0 && used > this.#quota) {
      return `the store holds ${used} bytes, more than its quota of ${this.#quota}`;
    }
    return undefined;
  }

  /** LMDB calls a write that ended short an input/output error, whatever it was. */
  async #isForWantOfRoom(cause: unknown): Promise<boolean> {
    if (isNoRoom(cause)) return true;
    return (await this.#available()) < BLOCK.length;
  }

  async #available(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#directory);
    return bavail * bsize;
  }

  async #setAside(): Promise<void> {
    if (await this.#isSetAside()) return;
    // What was given up is not taken back as long as it is all that there is.
    if (this.#isFull && (await this.#available()) < 2 * this.#reserveBytes) return;
    const unfinished = `${this.#reserve}.new`;
    try {
      const file = await open(unfinished, 'w', 0o600);
      try {
        for (let written = 0; written < this.#reserveBytes; written += BLOCK.length) await file.write(BLOCK);
      } finally {
        await file.close();
      }
      await rename(unfinished, this.#reserve);
      this.#isFull = false;
    } catch (error) {
      await rm(unfinished, { force: true });
      // Whatever else keeps a file from being made will keep writes from being made, and is told then.
      if (isNoRoom(error)) this.#isFull = true;
    }
  }

  async #isSetAside(): Promise<boolean> {
    const there = await stat(this.#reserve).catch(() => undefined);
    return there !== undefined && there.size >= this.#reserveBytes;
  }
}

/** Whether something failed because a disk is full. */
export const isNoRoom = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && NO_ROOM.has(error.code);
