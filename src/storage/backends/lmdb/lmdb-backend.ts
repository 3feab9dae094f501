import type { Runtime } from '../../../runtime/runtime.ts';
import { DiskBackend } from '../../disk-backend.ts';
import { LmdbDisk } from './lmdb-disk.ts';

export interface LmdbBackendOptions {
  readonly runtime: Runtime;
  /** Created when it does not exist. */
  readonly directory: string;
  /** The name of the vocabulary the data is written in; a directory keeps its first. */
  readonly vocabulary: string;
  /** How many bytes it may hold before it refuses what grows; 0 or nothing for no limit. */
  readonly quota?: number;
  /** From which size of its file on, in bytes, it leaves what versions hold there until somebody reads it. */
  readonly leaveAbove?: number;
}

/** The embedded durable store: one directory, one process, every acknowledged write on disk. */
export class LmdbBackend extends DiskBackend {
  constructor(options: LmdbBackendOptions) {
    super(options.runtime, new LmdbDisk(options));
  }
}
