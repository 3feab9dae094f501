import type { ApiError } from '../../api/errors.ts';
import { statusOf } from '../../codec/status.ts';
import type { Selection } from '../../registry/facets.ts';
import type { Objects } from '../../registry/objects.ts';
import { type StoredBytes, storedIn } from '../../registry/renderings.ts';
import type { ResourceType } from '../../registry/resource-type.ts';
import { lentBytes } from '../../storage/log/archived-version.ts';
import type { Version } from '../../storage/log/version.ts';
import type { EventEncoding } from './event-encoding.ts';
import { bytesOf, plainType, type SelectedEvent, selectedChange, undecided } from './watch-events.ts';
import { type EventType, joined, newFrames, SharedFrames } from './watch-frames.ts';

/** Turns versions into the bytes one watcher is sent. */
export interface EventWriter {
  /** A synthetic event for what was there when the watch began, in parts that are good until the next one. */
  initial(version: Version): readonly Buffer[];
  /** Every change concerns the watcher. */
  readonly takesAll: boolean;
  /** Changes that are sent at once, to a watcher who takes all. */
  changes(versions: readonly Version[]): Buffer;
  /** As `changes` for those that have to wait or to be selected: what they mean is decided now, where it can be, */
  decided(versions: readonly Version[]): readonly SelectedEvent[];
  /** and put into bytes when the client is ready for them. */
  written(changes: readonly SelectedEvent[]): Buffer;
  /** Tells that everything up to a revision was sent. */
  bookmark(revision: number, annotations?: Readonly<Record<string, string>>): Buffer;
  /** Tells why the watch cannot go on. */
  error(error: ApiError): Buffer;
}

/** What watchers of one type in one encoding share. */
interface Shared {
  readonly frames: SharedFrames;
  /** Of those who watch everything. */
  readonly writer: EventWriter;
}

/** What all watchers share of which a server keeps frames. A type that is replaced takes what it shared with it. */
class SharedWriters {
  readonly #frames = newFrames();
  readonly #byType = new WeakMap<ResourceType, Map<string, Shared>>();

  of(type: ResourceType, name: string, encoding: EventEncoding): Shared {
    const byName = this.#byType.get(type) ?? new Map<string, Shared>();
    this.#byType.set(type, byName);
    const known = byName.get(name);
    if (known) return known;
    const frames = new SharedFrames(this.#frames);
    const shared = { frames, writer: eventWriter(encoding, frames, undefined) };
    byName.set(name, shared);
    return shared;
  }
}

const sharedWriters = new WeakMap<Objects, SharedWriters>();

/**
 * What a watcher of the selection is sent. Those who watch everything in the same encoding have one writer. `selectsLater`:
 * changes are not yet in the form that is selected from when they come.
 */
export function writerFor(
  objects: Objects,
  type: ResourceType,
  encoding: EventEncoding,
  selection: Selection | undefined,
  selectsLater: boolean,
): EventWriter {
  if (encoding.name === undefined) return eventWriter(encoding, undefined, selection, selectsLater);
  const writers = sharedWriters.get(objects) ?? new SharedWriters();
  sharedWriters.set(objects, writers);
  const { frames, writer } = writers.of(type, encoding.name, encoding);
  return selection ? eventWriter(encoding, frames, selection, selectsLater) : writer;
}

/** Frames are shared with other watchers where they can be. */
function eventWriter(
  encoding: EventEncoding,
  frames: SharedFrames | undefined,
  selection: Selection | undefined,
  selectsLater = false,
): EventWriter {
  const anew = (type: EventType, stored: StoredBytes) => encoding.frame(type, encoding.object(stored));
  const ofVersion = (type: EventType, version: Version) => anew(type, storedIn(version));
  const ofChange = (change: SelectedEvent, isAlone: boolean): readonly Buffer[] => {
    const { type, version, left } = change;
    if (left) return anew(type, { bytes: bytesOf(change) });
    // A frame of its own for each of many, of a past that is read once, would leave memory full of holes.
    if (!frames || (encoding.isCheap && !isAlone)) return ofVersion(type, version);
    return [frames.of(type, version, ofVersion)];
  };
  const decided = (versions: readonly Version[]): readonly SelectedEvent[] => {
    if (!selection) return versions.map((version) => ({ type: plainType(version), version }));
    if (selectsLater) return versions.map(undecided);
    return versions.flatMap((version) => selectedChange(version, selection) ?? []);
  };
  const written = (changes: readonly SelectedEvent[]): Buffer =>
    joined(changes.flatMap((change) => ofChange(change, changes.length === 1)));
  const changes = (versions: readonly Version[]): Buffer => written(decided(versions));
  return {
    takesAll: selection === undefined,
    initial: (version) => encoding.frame('ADDED', encoding.object({ bytes: lentBytes(version), version })),
    changes: frames ? (versions) => frames.ofBatch(versions, changes) : changes,
    decided,
    written,
    bookmark: (revision, annotations) => joined(encoding.frame('BOOKMARK', encoding.mark(revision, annotations))),
    error: (error) => joined(encoding.frame('ERROR', encoding.status(statusOf(error)))),
  };
}
