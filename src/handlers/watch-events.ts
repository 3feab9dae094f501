import { parseObject } from '../registry/encoding.ts';
import type { Selection } from '../registry/facets.ts';
import type { Version } from '../storage/version.ts';
import type { EventType } from './watch-frames.ts';

/** What a change means to one watcher. `bytes` differ from the version's when the object left the selection. */
export interface WatchEvent {
  readonly type: EventType;
  readonly version: Version;
  readonly bytes: Buffer;
}

/** The event a watcher of everything sees. */
export function plainType(version: Version): EventType {
  if (version.deleted) return 'DELETED';
  return version.previous === undefined || version.previous.deleted ? 'ADDED' : 'MODIFIED';
}

/**
 * The event a watcher with a selection sees, if any: an object that enters the selection is added, one that leaves it is
 * deleted, with the last state that was in it.
 */
export function selectedEvent(version: Version, selection: Selection): WatchEvent | undefined {
  const { previous } = version;
  const before = previous !== undefined && !previous.deleted && selection(previous);
  if (version.deleted) return before ? { type: 'DELETED', version, bytes: version.bytes } : undefined;
  if (selection(version)) return { type: before ? 'MODIFIED' : 'ADDED', version, bytes: version.bytes };
  return before ? { type: 'DELETED', version, bytes: restamp(previous, version.revision) } : undefined;
}

function restamp({ bytes }: Version, revision: number): Buffer {
  const object = parseObject(bytes);
  object.metadata.resourceVersion = String(revision);
  return Buffer.from(JSON.stringify(object));
}
