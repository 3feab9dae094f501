import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Load } from '../../backend.ts';
import { slabs } from '../../slabs.ts';
import type { Identity } from './identity.ts';
import { type PackedVersions, unpack } from './packed-versions.ts';
import { FileDamaged } from './page-file.ts';

/** What the thread is to read. */
export interface ScanTask {
  readonly path: string;
  readonly identity: Identity;
  /** Bytes are left in the file, and these texts are looked for in them. Absent: bytes are handed over. */
  readonly lookFor: readonly string[] | undefined;
  /** How many batches have been taken so far: the thread waits when it is too far ahead. */
  readonly taken: Int32Array<SharedArrayBuffer>;
}

/** What it says: versions in revision order, and in the end how it went. */
export type ScanReport =
  | { readonly versions: PackedVersions }
  | { readonly newest: number }
  | { readonly damage: string };

/** Part of the bundle. Where the source itself is run, there is none. */
const program = new URL('./storage/scan-thread-program.js', import.meta.url);

/** A smaller file is read before a thread has begun. */
const WORTHWHILE = 32 << 20;

/** Whether a file of this size is read aside, where that can be. */
export const isReadAside = (size: number): boolean => size > WORTHWHILE && existsSync(program);

/**
 * As `readVersions`, on a thread of its own: reading, checking and copying a large file takes as long as putting its
 * versions in order, which is done here meanwhile.
 */
export function readVersionsAside(
  path: string,
  identity: Identity,
  lookFor: readonly string[] | undefined,
  take: Load,
): Promise<number> {
  const taken = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(program, { workerData: { path, identity, lookFor, taken } satisfies ScanTask });
  const reading = new Promise<number>((resolve, reject) => {
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error(`reading ${path} ended before its end`)));
    worker.on('message', (report: ScanReport) => {
      if ('newest' in report) return resolve(report.newest);
      if ('damage' in report) return reject(new FileDamaged(report.damage));
      try {
        take(unpack(report.versions, slabs));
      } catch (error) {
        reject(error);
      }
      Atomics.add(taken, 0, 1);
      Atomics.notify(taken, 0);
    });
  });
  return reading.finally(() => worker.terminate());
}
