import { statusOf } from '../codec/status.ts';
import type { ApiError } from '../errors.ts';
import type { Selection } from '../registry/facets.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { type StoredBytes, storedIn } from '../registry/versions.ts';
import type { Version } from '../storage/version.ts';
import type { VersionLog } from '../storage/version-log.ts';
import type { EventEncoding } from './event-encoding.ts';
import { bytesOf, type Change, plainType, selectedChange } from './watch-events.ts';
import { type EventType, sharedFrames } from './watch-frames.ts';

/** Turns versions into the bytes one watcher is sent. */
export interface EventWriter {
  /** A synthetic event for what was there when the watch began. */
  initial(version: Version): Buffer;
  /** Every change concerns the watcher. */
  readonly takesAll: boolean;
  /** Changes that are sent at once, to a watcher who takes all. */
  changes(versions: readonly Version[]): Buffer;
  /** As `changes` for those that have to wait or to be selected: what they mean is decided now, */
  decided(versions: readonly Version[]): readonly Change[];
  /** and put into bytes when the client is ready for them. */
  written(changes: readonly Change[]): Buffer;
  /** Tells that everything up to a revision was sent. */
  bookmark(revision: number, annotations?: Readonly<Record<string, string>>): Buffer;
  /** Tells why the watch cannot go on. */
  error(error: ApiError): Buffer;
}

const shared = new WeakMap<VersionLog, WeakMap<ResourceType, Map<string, EventWriter>>>();

/** What a watcher of the selection is sent. Those who watch everything in the same encoding have one writer. */
export function writerFor(
  log: VersionLog,
  type: ResourceType,
  encoding: EventEncoding,
  selection: Selection | undefined,
): EventWriter {
  if (encoding.name === undefined || selection) return eventWriter(encoding, log, selection);
  const byType = shared.get(log) ?? new WeakMap<ResourceType, Map<string, EventWriter>>();
  const byName = byType.get(type) ?? new Map<string, EventWriter>();
  const writer = byName.get(encoding.name) ?? eventWriter(encoding, log, undefined);
  byName.set(encoding.name, writer);
  byType.set(type, byName);
  shared.set(log, byType);
  return writer;
}

/** Frames are shared with other watchers where they can be. */
function eventWriter(encoding: EventEncoding, log: VersionLog, selection: Selection | undefined): EventWriter {
  const anew = (type: EventType, stored: StoredBytes): Buffer => encoding.frame(type, encoding.object(stored));
  const ofVersion = (type: EventType, version: Version): Buffer => anew(type, storedIn(version));
  const frames = encoding.name === undefined ? undefined : sharedFrames(log, encoding.name);
  const ofChange = (change: Change): Buffer => {
    const { type, version, left } = change;
    if (left) return anew(type, { bytes: bytesOf(change) });
    return frames ? frames.of(type, version, ofVersion) : ofVersion(type, version);
  };
  const decided = selection
    ? (versions: readonly Version[]) => versions.flatMap((version) => selectedChange(version, selection) ?? [])
    : (versions: readonly Version[]) => versions.map((version) => ({ type: plainType(version), version }));
  const written = (changes: readonly Change[]): Buffer => joined(changes.map(ofChange));
  return {
    takesAll: selection === undefined,
    initial: (version) => ofVersion('ADDED', version),
    changes: frames
      ? (versions) => frames.ofBatch(versions, plainType, ofVersion)
      : (versions) => written(decided(versions)),
    decided,
    written,
    bookmark: (revision, annotations) => encoding.frame('BOOKMARK', encoding.mark(revision, annotations)),
    error: (error) => encoding.frame('ERROR', encoding.status(statusOf(error))),
  };
}

function joined(parts: readonly Buffer[]): Buffer {
  const [only] = parts;
  return parts.length === 1 && only ? only : Buffer.concat(parts);
}
