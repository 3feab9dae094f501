import type { StoredVersion } from '../backend.ts';
import type { Layout } from './layout.ts';
import type { KeyValue, WatchEvent } from './messages.ts';
import { decodeValue, type Origin, type StoredValue, stampValue } from './value.ts';

/** A version, and who wrote it. */
export interface Change {
  readonly version: StoredVersion;
  readonly origin: Origin;
}

function changeOf(key: string, revision: number, deleted: boolean, value: StoredValue): Change {
  const version = { revision, key, bytes: stampValue(value, revision), deleted, time: value.time };
  return { version, origin: value.origin };
}

/** The object an entry holds; undefined when it is none, or is not in our form. */
export function objectIn(layout: Layout, { key, value, revision }: KeyValue): Change | undefined {
  const object = layout.objectOf(key);
  const decoded = object === undefined ? undefined : decodeValue(value);
  return object === undefined || decoded === undefined ? undefined : changeOf(object, revision, false, decoded);
}

/**
 * The changes of objects among events. What a deletion leaves is in a key that the same transaction has changed just
 * before; undefined when it is not there: someone who is none of our servers deleted an object.
 */
export function changesIn(layout: Layout, events: readonly WatchEvent[]): Change[] | undefined {
  const changes: Change[] = [];
  let left: WatchEvent | undefined;
  for (const event of events) {
    if (event.key === layout.deleted || event.key === layout.head) left = event;
    const object = layout.objectOf(event.key);
    if (object === undefined) continue;
    const change = event.deleted ? deletionOf(object, event.revision, left) : objectIn(layout, event);
    if (change !== undefined) changes.push(change);
    else if (event.deleted) return undefined;
  }
  return changes;
}

function deletionOf(key: string, revision: number, left: WatchEvent | undefined): Change | undefined {
  const last = left?.revision === revision ? decodeValue(left.value) : undefined;
  return last && changeOf(key, revision, true, last);
}
