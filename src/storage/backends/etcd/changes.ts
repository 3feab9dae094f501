import type { StoredVersion } from '../../backend.ts';
import { slabs } from '../../slabs.ts';
import type { Layout } from './layout.ts';
import type { KeyValue, WatchEvent } from './messages.ts';
import { decodeValue, type Origin, type StoredValue, stampValue } from './value.ts';

type Room = (length: number) => Buffer;

/** A version, and who wrote it. */
export interface EtcdEvent {
  readonly version: StoredVersion;
  readonly origin: Origin;
}

function changeOf(key: string, revision: number, deleted: boolean, value: StoredValue, room: Room): EtcdEvent {
  const version = { revision, key, bytes: stampValue(value, revision, room), deleted, time: value.time };
  return { version, origin: value.origin };
}

/** The object an entry of a state holds, which may be known already; undefined when it is none, or not in our form. */
export function objectIn(layout: Layout, { key, value, revision }: KeyValue): EtcdEvent | undefined {
  const object = layout.objectOf(key);
  const decoded = object === undefined ? undefined : decodeValue(value);
  if (object === undefined || decoded === undefined) return undefined;
  return changeOf(object, revision, false, decoded, Buffer.allocUnsafe);
}

/** What happens is told once and kept as long as the log keeps it. */
const inSlabs: Room = (length) => slabs.take(length);

/** An object that was removed without a word about what it was: by a stranger, or while etcd took nothing else. */
export interface BareRemoval {
  /** As etcd has it. */
  readonly key: string;
  readonly revision: number;
}

/** What events come to, up to the first that cannot be made sense of without asking. */
export interface ReadChanges {
  readonly changes: EtcdEvent[];
  /** Everything up to it is in `changes`. */
  readonly revision: number;
  /** What has to be known about the next ones, if anything. */
  readonly bare: readonly BareRemoval[];
}

/** What a removed object was, if that has been found out. */
export type LastOf = (removal: BareRemoval) => StoredValue | undefined;

/**
 * The changes of objects among events, which are in order, those of one revision together. What a deletion leaves is in a
 * key that the same transaction has changed just before, whichever that is in the format of its writer.
 */
export function changesIn(layout: Layout, events: readonly WatchEvent[], lastOf: LastOf): ReadChanges {
  const changes: EtcdEvent[] = [];
  const bare: BareRemoval[] = [];
  let left: WatchEvent | undefined;
  for (const event of events) {
    if (event.key === layout.deleted || event.key === layout.head) left = event;
    const object = layout.objectOf(event.key);
    if (object === undefined) continue;
    const state = event.deleted ? (lastIn(left, event) ?? lastOf(event)) : decodeValue(event.value);
    if (event.deleted && state === undefined) bare.push({ key: event.key, revision: event.revision });
    if (bare.length > 0 || state === undefined) continue;
    changes.push(changeOf(object, event.revision, event.deleted, state, inSlabs));
  }
  const [first] = bare;
  if (first === undefined) return { changes, revision: events.at(-1)?.revision ?? 0, bare };
  const isBefore = ({ revision }: { readonly revision: number }) => revision < first.revision;
  return {
    changes: changes.filter(({ version }) => isBefore(version)),
    revision: events.findLast(isBefore)?.revision ?? 0,
    bare,
  };
}

const lastIn = (left: WatchEvent | undefined, { revision }: WatchEvent): StoredValue | undefined =>
  left?.revision === revision ? decodeValue(left.value) : undefined;
