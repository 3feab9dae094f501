import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { makeDirectories } from '../../runtime/directories.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { LineWriter } from './log-sink.ts';

const DAY_MS = 86_400_000;
/** Audit files are for those who may see everything. */
const MODE = 0o600;

export interface RotationOptions {
  readonly path: string;
  /** A file that would grow beyond this is put aside first. */
  readonly maxBytes: number;
  /** How many files that were put aside are kept; 0: all. */
  readonly maxBackups: number;
  /** How long they are kept; 0: for good. */
  readonly maxAgeDays: number;
  readonly compress: boolean;
  readonly runtime: Runtime;
  /** Told when old files cannot be compressed or removed: nothing else suffers from that. */
  readonly onError: (error: unknown) => void;
}

/** A file that is put aside under the time of day when it is full, and the ones that were. */
export class RotatingFile implements LineWriter {
  readonly #options: RotationOptions;
  #handle: FileHandle | undefined;
  #size = 0;
  #tidying: Promise<void> = Promise.resolve();

  constructor(options: RotationOptions) {
    this.#options = options;
  }

  /** Finds out whether the file can be written, before the first event. */
  async prepare(): Promise<void> {
    await this.#opened();
    await this.close();
  }

  async append(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    let handle = await this.#opened();
    if (this.#size > 0 && this.#size + bytes.length > this.#options.maxBytes) {
      await this.#putAside();
      handle = await this.#opened();
    }
    try {
      await writeWhole(handle, bytes);
      this.#size += bytes.length;
    } catch (error) {
      await this.#takeBack(handle);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#tidying;
    await this.#handle?.close();
    this.#handle = undefined;
  }

  async #opened(): Promise<FileHandle> {
    if (this.#handle) return this.#handle;
    const { path } = this.#options;
    makeDirectories(dirname(path), 0o777);
    const handle = await open(path, 'a', MODE);
    this.#size = (await handle.stat()).size;
    this.#handle = handle;
    return handle;
  }

  /** Half a line would spoil the next one. A disk that cannot even do that is met anew by the next event. */
  async #takeBack(handle: FileHandle): Promise<void> {
    this.#handle = undefined;
    await handle.truncate(this.#size).catch(() => {});
    await handle.close().catch(() => {});
  }

  async #putAside(): Promise<void> {
    const { path, runtime } = this.#options;
    await this.#handle?.close();
    this.#handle = undefined;
    const time = new Date(runtime.now()).toISOString().slice(0, -1).replaceAll(':', '-');
    await rename(path, join(dirname(path), `${this.#prefix}${time}${extname(path)}`));
    this.#tidying = this.#tidying.then(() => this.#tidy()).catch(this.#options.onError);
  }

  get #prefix(): string {
    const { path } = this.#options;
    return `${basename(path, extname(path))}-`;
  }

  async #tidy(): Promise<void> {
    const { path, maxBackups, maxAgeDays, compress, runtime } = this.#options;
    const directory = dirname(path);
    const backups = (await this.#backups(directory)).sort((a, b) => b.time - a.time);
    const oldest = maxAgeDays === 0 ? Number.NEGATIVE_INFINITY : runtime.now() - maxAgeDays * DAY_MS;
    for (const [at, { name, time }] of backups.entries()) {
      const file = join(directory, name);
      if ((maxBackups > 0 && at >= maxBackups) || time < oldest) await rm(file, { force: true });
      else if (compress && !name.endsWith('.gz')) await gzipInPlace(file);
    }
  }

  async #backups(directory: string): Promise<{ name: string; time: number }[]> {
    const start = this.#prefix;
    const end = extname(this.#options.path);
    const timeIn = (name: string): number => {
      const plain = name.replace(/\.gz$/, '');
      if (!plain.startsWith(start) || !plain.endsWith(end)) return Number.NaN;
      const [date = '', clock = ''] = plain.slice(start.length, plain.length - end.length).split('T');
      return Date.parse(`${date}T${clock.replaceAll('-', ':')}Z`);
    };
    return (await readdir(directory))
      .map((name) => ({ name, time: timeIn(name) }))
      .filter(({ time }) => !Number.isNaN(time));
  }
}

async function writeWhole(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten;
}

/** The plain file goes only when the other one is whole. */
async function gzipInPlace(file: string): Promise<void> {
  await pipeline(createReadStream(file), createGzip(), createWriteStream(`${file}.gz`, { mode: MODE }));
  await rm(file);
}
