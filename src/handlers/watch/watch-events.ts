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

/** What is told of changes when their turn comes, at once where everything for it is there. */
export type Settle = (
  changes: readonly SelectedEvent[],
) => readonly SelectedEvent[] | Promise<readonly SelectedEvent[]>;

/** The changes with the versions that they show prepared. */
export const preparedChanges =
  (prepare: Prepare): Settle =>
  (changes) => {
    const preparing = prepare(changes.map(({ version, left }) => left ?? version));
    if (!preparing) return changes;
    return preparing.then((versions) =>
      changes.map((change, index) => {
        const shown = versions[index] ?? change.version;
        return change.left ? { ...change, left: shown } : { ...change, version: shown };
      }),
    );
  };

/** A change with what was there before it, as `left`: what it means is decided once both are prepared. */
export function undecided(version: Version): SelectedEvent {
  const { previous } = version;
  const type = plainType(version);
  return previous && !previous.deleted ? { type, version, left: previous } : { type, version };
}

/** What undecided changes mean to a watcher who selects by what objects say in the version that is watched. */
export const selectedChanges =
  (prepare: Prepare, selection: Selection): Settle =>
  (changes) => {
    const versions = changes.flatMap(({ version, left }) => (left ? [version, left] : [version]));
    const decide = (prepared: readonly Version[]): SelectedEvent[] => {
      let at = 0;
      return changes.flatMap(({ version, left }) => {
        const now = prepared[at++] ?? version;
        const before = left && (prepared[at++] ?? left);
        return changeBetween(before, now, selection) ?? [];
      });
    };
    const preparing = prepare(versions);
    return preparing ? preparing.then(decide) : decide(versions);
  };

/** The event a watcher of everything sees. */
export function plainType(version: Version): EventType {
  if (version.deleted) return 'DELETED';
  return version.previous === undefined || version.previous.deleted ? 'ADDED' : 'MODIFIED';
}

/**
 * The event a watcher with a selection sees, if any: an object that enters the selection is added, one that leaves it is
 * deleted, with the last state that was in it.
 */
export const selectedChange = (version: Version, selection: Selection): SelectedEvent | undefined =>
  changeBetween(version.previous, version, selection);

function changeBetween(
  previous: Version | undefined,
  version: Version,
  selection: Selection,
): SelectedEvent | undefined {
  const before = previous !== undefined && !previous.deleted && selection(previous);
  if (version.deleted) return before ? { type: 'DELETED', version } : undefined;
  if (selection(version)) return { type: before ? 'MODIFIED' : 'ADDED', version };
  return before ? { type: 'DELETED', version, left: previous } : undefined;
}

/** The object of an event, as it is stored or, where it left a selection, with the version in which it did. */
export const bytesOf = ({ version, left }: SelectedEvent): Buffer =>
  left ? restamped(left.bytes, version.revision) : version.bytes;
