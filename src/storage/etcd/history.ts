import { StorageUnavailable, type StoredVersion } from '../backend.ts';
import { type Cluster, Compacted } from './cluster.ts';
import { type Feed, versionsOf } from './feed.ts';
import type { Layout } from './layout.ts';
import { readAll } from './snapshot.ts';
import type { Inquiry } from './standing.ts';

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
export async function readHistory(cluster: Cluster, layout: Layout, inquiry: Inquiry, feed: Feed): Promise<Retained> {
  const mark = await cluster.range({ key: layout.compaction });
  let compacted = Number(mark.entries[0]?.value.toString() ?? 0);
  for (;;) {
    const { head, revision } = await inquiry.ask();
    // When nothing of ours is newer than the compaction, the state as of now is that of then.
    const from = head <= compacted ? revision : compacted;
    const later: StoredVersion[] = [];
    const gone = await collect(feed, from, head, later);
    const state = gone === undefined ? await stateAt(cluster, layout, from) : undefined;
    if (state !== undefined) {
      return { versions: [...state, ...later], revision: Math.max(revision, feed.position), compacted };
    }
    compacted = gone ?? compacted;
  }
}

/** Resolves when everything after `from` and up to `head` is in `later`, or with the revision up to which it is gone. */
function collect(feed: Feed, from: number, head: number, later: StoredVersion[]): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    feed.start(from, {
      onChanges(changes) {
        for (const { version } of changes) later.push(version);
      },
      async onLoss(loss) {
        resolve(loss === 'meddled' ? from : loss.compacted);
      },
    });
    feed.arrived(head, PATIENCE_MS).then((inTime) => {
      if (inTime) resolve(undefined);
      else reject(new StorageUnavailable('etcd does not give its history in time'));
    }, reject);
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
