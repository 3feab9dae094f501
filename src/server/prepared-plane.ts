import type { Pki } from '../pki/bootstrap.ts';
import type { MemoryDisk } from '../storage/backends/memory/memory-backend.ts';

/** What a plane need not make by itself because another of the same process has. For tests, which start many. */
export interface PreparedPlane {
  /** Used instead of keys and certificates of its own. Flags that name files come first. */
  readonly pki: Pki;
  /** What a memory store begins with, as if it had been closed and opened again. It belongs to this plane alone. */
  readonly disk: MemoryDisk;
  /** A plane of the same settings was started over what is on the disk: all that a plane needs to stand on is there. */
  readonly isBootstrapped: boolean;
}
