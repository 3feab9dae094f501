import { StorageFull, type StoreRoom, type Write } from '../backend.ts';
import type { Version } from './version.ts';

/** What marks an object for deletion, or changes its status a little, does not count. */
const SMALL_GROWTH = 512;

/** Throws `StorageFull` for a write that makes an object, or makes it larger, where the store may not grow. */
export function refuseGrowth(write: Write, before: Version | undefined, room: () => StoreRoom | undefined): void {
  if (write.delete) return;
  const { head, tail } = write.value;
  if (before !== undefined && head.length + tail.length <= before.size + SMALL_GROWTH) return;
  const problem = room()?.problem;
  if (problem !== undefined) throw new StorageFull(problem);
}
