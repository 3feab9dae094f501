import type { StoredVersion } from '../../backend.ts';
import { type Cluster, Compacted } from './cluster.ts';
import { type Feed, versionsOf } from './feed.ts';
import type { Layout } from './layout.ts';
import { readAll } from './snapshot.ts';
import type { Standing } from './standing.ts';

/** How long history may take to arrive; it is read from disk and may be long. */
const PATIENCE_MS = 60_000;

/** All that etcd still has of ours, in revision order. */
export interface Retained {
  readonly versions: StoredVersion[];
  /** Everything of ours up to this one is in `versions`. No server has told a client of a later one yet. */
  readonly revision: number;
  readonly compacted: number;
}

/**
 * Reads the state as of the compaction, and what came after it through the feed, which goes on from there: whoever
 * takes it over must do so before anything else happens.
 */
export async function readHistory(cluster: Cluster, layout: Layout, standing: Standing, feed: Feed): Promise<Retained> {
  const mark = await cluster.range({ key: layout.compaction });
  let compacted = Number(mark.entries[0]?.value.toString() ?? 0);
  for (;;) {
    const revision = await standing.ask();
    const later: StoredVersion[] = [];
    const gone = await collect(feed, standing, compacted, revision, later);
    const state = gone === undefined ? await stateAt(cluster, layout, compacted) : undefined;
    if (state !== undefined) {
      return { versions: [...state, ...later], revision: Math.max(revision, feed.position), compacted };
    }
    compacted = gone ?? compacted;
  }
}

/**
 * Resolves when everything of ours after `from` and up to `through` is in `later`, or with the revision up to which
 * history is gone or cannot be made sense of.
 */
function collect(
  feed: Feed,
  standing: Standing,
  from: number,
  through: number,
  later: StoredVersion[],
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    feed.start(from, {
      onChanges(changes) {
        for (const { version } of changes) later.push(version);
      },
      async onLoss(loss) {
        resolve(loss === 'meddled' ? through : loss.compacted);
      },
    });
    standing.reach(through, PATIENCE_MS).then(() => resolve(undefined), reject);
  });
}

/** Undefined when that was compacted meanwhile. */
async function stateAt(cluster: Cluster, layout: Layout, revision: number): Promise<StoredVersion[] | undefined> {
  if (revision === 0) return [];
  try {
    return versionsOf((await readAll(cluster, layout, revision)).changes);
  } catch (error) {
    if (error instanceof Compacted) return undefined;
    throw error;
  }
}
