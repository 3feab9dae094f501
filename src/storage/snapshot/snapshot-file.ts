import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { StoredVersion } from '../backend.ts';
import { decodeRecord, encodeRecord, type Keep, keptIn } from '../backends/lmdb/record.ts';
import { Slabs } from '../slabs.ts';

/**
 * A snapshot file: one line of JSON about it, then every record as six bytes of revision, four of length and the record
 * itself, in revision order, then the SHA-256 of all that.
 */
const FORMAT = 'platform-apiserver snapshot';
/** Versions are read in blocks of this size. */
const SLAB_BYTES = 1 << 20;

/** In files of the first version records have no checksums of their own. */
const VERSION = 2;
const FIRST_VERSION = 1;
const LONGEST_HEADER = 4096;
const PREFIX = 10;
const DIGEST = 32;
const BLOCK = 1 << 20;

export interface SnapshotHeader {
  /** The vocabulary the objects are written in. */
  readonly vocabulary: string;
  /** The state is that as of this revision. */
  readonly revision: number;
  /** How many objects there are. */
  readonly count: number;
  /** When it was taken, as an RFC 3339 time. */
  readonly created: string;
}

/** The file is not a snapshot, or not what was once written; the message is one line. */
export class SnapshotDamaged extends Error {
  override readonly name = 'SnapshotDamaged';
}

/** Writes a file that is there as a whole or not at all; one that was there before is replaced. */
export async function writeSnapshot(
  path: string,
  header: SnapshotHeader,
  versions: Iterable<StoredVersion> | AsyncIterable<StoredVersion>,
): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await fill(file, header, versions);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  const directory = await open(dirname(path));
  await directory.sync().finally(() => directory.close());
}

async function fill(
  file: FileHandle,
  header: SnapshotHeader,
  versions: Iterable<StoredVersion> | AsyncIterable<StoredVersion>,
): Promise<void> {
  const hash = createHash('sha256');
  let parts: Buffer[] = [Buffer.from(`${JSON.stringify({ format: FORMAT, version: VERSION, ...header })}\n`)];
  let size = 0;
  const flush = async (): Promise<void> => {
    const block = Buffer.concat(parts);
    hash.update(block);
    await file.writeFile(block);
    parts = [];
    size = 0;
  };
  for await (const version of versions) {
    const record = encodeRecord(version);
    const prefix = Buffer.alloc(PREFIX);
    prefix.writeUIntBE(version.revision, 0, 6);
    prefix.writeUInt32BE(record.length, 6);
    parts.push(prefix, record);
    size += record.length;
    if (size >= BLOCK) await flush();
  }
  await flush();
  await file.writeFile(hash.digest());
}

/** Reads a snapshot once, from front to back. What it gave is only known to be whole when `batches` has ended. */
export class SnapshotReader {
  readonly header: SnapshotHeader;
  readonly #bytes: HashedBytes;

  private constructor(header: SnapshotHeader, bytes: HashedBytes) {
    this.header = header;
    this.#bytes = bytes;
  }

  static async open(path: string): Promise<SnapshotReader> {
    const file = await open(path);
    try {
      const bytes = new HashedBytes(file, path, Math.max(0, (await file.stat()).size - DIGEST));
      return new SnapshotReader(parseHeader(await bytes.line(), path), bytes);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** All versions in revision order, some at a time. Throws `SnapshotDamaged` in the end if anything was not right. */
  async *batches(): AsyncGenerator<StoredVersion[]> {
    const keep = keptIn(new Slabs(SLAB_BYTES));
    let batch: StoredVersion[] = [];
    for (let count = 0, last = 0; count < this.header.count; count++) {
      const version = await this.#next(keep);
      if (version.revision <= last || version.revision > this.header.revision) throw this.#bytes.damaged();
      last = version.revision;
      batch.push(version);
      if (batch.length < 500) continue;
      yield batch;
      batch = [];
    }
    await this.#bytes.verify();
    yield batch;
  }

  close(): Promise<void> {
    return this.#bytes.close();
  }

  async #next(keep: Keep): Promise<StoredVersion> {
    const prefix = await this.#bytes.take(PREFIX);
    const revision = prefix.readUIntBE(0, 6);
    const record = await this.#bytes.take(prefix.readUInt32BE(6));
    try {
      return decodeRecord(revision, record, true, keep);
    } catch {
      // What the record says does not fit into it, or is not what was written.
      throw this.#bytes.damaged();
    }
  }
}

function parseHeader(line: string, path: string): SnapshotHeader {
  const foreign = new SnapshotDamaged(`${path} is not a snapshot of this server`);
  let header: unknown;
  try {
    header = JSON.parse(line);
  } catch {
    throw foreign;
  }
  if (typeof header !== 'object' || header === null || !('format' in header) || header.format !== FORMAT) throw foreign;
  if (!('version' in header) || (header.version !== VERSION && header.version !== FIRST_VERSION)) {
    throw new SnapshotDamaged(`${path} has a format that this server does not read`);
  }
  if (!isHeader(header)) throw new SnapshotDamaged(`${path} is damaged: its header is not complete`);
  const { vocabulary, revision, count, created } = header;
  return { vocabulary, revision, count, created };
}

const isHeader = (header: object): header is SnapshotHeader =>
  'vocabulary' in header &&
  typeof header.vocabulary === 'string' &&
  'revision' in header &&
  Number.isSafeInteger(header.revision) &&
  'count' in header &&
  Number.isSafeInteger(header.count) &&
  'created' in header &&
  typeof header.created === 'string';

/** The bytes of a file in order, all but its last, which tell whether the others are what they were. */
class HashedBytes {
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #hash: Hash = createHash('sha256');
  /** Bytes that have not been read from the file. */
  #left: number;
  #buffer = Buffer.alloc(0);

  constructor(file: FileHandle, path: string, size: number) {
    this.#file = file;
    this.#path = path;
    this.#left = size;
  }

  damaged(): SnapshotDamaged {
    return new SnapshotDamaged(`${this.#path} is damaged: its content is not what was written`);
  }

  async line(): Promise<string> {
    await this.#fill(Math.min(LONGEST_HEADER, this.#left));
    const end = this.#buffer.indexOf(0x0a) + 1;
    return end > LONGEST_HEADER ? '' : (await this.take(end)).toString();
  }

  /** The next bytes, lent until the next call. */
  async take(length: number): Promise<Buffer> {
    if (length > this.#buffer.length + this.#left) throw this.damaged();
    await this.#fill(length);
    const taken = this.#buffer.subarray(0, length);
    this.#buffer = this.#buffer.subarray(length);
    this.#hash.update(taken);
    return taken;
  }

  /** Everything has been taken and is what was written. */
  async verify(): Promise<void> {
    if (this.#buffer.length + this.#left > 0) throw this.damaged();
    const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(DIGEST), 0, DIGEST);
    if (bytesRead !== DIGEST || !buffer.equals(this.#hash.digest())) throw this.damaged();
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #fill(wanted: number): Promise<void> {
    while (this.#buffer.length < wanted) {
      const size = Math.min(Math.max(BLOCK, wanted - this.#buffer.length), this.#left);
      const { buffer, bytesRead } = await this.#file.read(Buffer.allocUnsafe(size), 0, size);
      if (bytesRead === 0) throw this.damaged();
      this.#left -= bytesRead;
      this.#buffer = Buffer.concat([this.#buffer, buffer.subarray(0, bytesRead)]);
    }
  }
}
