import type { Selection } from '../../registry/facets.ts';
import type { Prepare } from '../../registry/prepared-entries.ts';
import { restamped } from '../../registry/restamped.ts';
import type { Version } from '../../storage/log/version.ts';
import type { EventType } from './watch-frames.ts';

/**
 * What a change means to one watcher. It is decided when the change comes, since compaction may forget what was before
 * it, and can then wait as long as the client likes.
 */
export interface SelectedEvent {
  readonly type: EventType;
  readonly version: Version;
  /** The last version that was selected, where the version itself is not. */
  readonly left?: Version;
}

/** The changes with the versions that they show prepared; undefined when they are. */
export function prepareChanges(
  changes: readonly SelectedEvent[],
  prepare: Prepare,
): Promise<readonly SelectedEvent[]> | undefined {
  const preparing = prepare(changes.map(({ version, left }) => left ?? version));
  return preparing?.then((versions) =>
    changes.map((change, index) => {
      const shown = versions[index] ?? change.version;
      return change.left ? { ...change, left: shown } : { ...change, version: shown };
    }),
  );
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
export function selectedChange(version: Version, selection: Selection): SelectedEvent | undefined {
  const { previous } = version;
  const before = previous !== undefined && !previous.deleted && selection(previous);
  if (version.deleted) return before ? { type: 'DELETED', version } : undefined;
  if (selection(version)) return { type: before ? 'MODIFIED' : 'ADDED', version };
  return before ? { type: 'DELETED', version, left: previous } : undefined;
}

/** The object of an event, as it is stored or, where it left a selection, with the version in which it did. */
export const bytesOf = ({ version, left }: SelectedEvent): Buffer =>
  left ? restamped(left.bytes, version.revision) : version.bytes;
