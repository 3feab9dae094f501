import { type EtcdEvent, objectIn } from './changes.ts';
import type { Cluster } from './cluster.ts';
import type { Layout } from './layout.ts';
import type { RangeResponse } from './messages.ts';

const FIRST_PAGE = 200;
const FEWEST = 10;
const MOST = 5_000;
/** How large a page should be: large enough to be worth a round trip, small enough not to hold up others. */
const PAGE_BYTES = 2 << 20;

/** All objects as of a revision (0: as of now), in revision order. Rejects with `Compacted`. */
export async function readAll(
  cluster: Cluster,
  layout: Layout,
  at = 0,
): Promise<{ changes: EtcdEvent[]; revision: number }> {
  const changes: EtcdEvent[] = [];
  let revision = at;
  let key = layout.first;
  let limit = FIRST_PAGE;
  for (;;) {
    const page = await cluster.range({ key, end: layout.end, limit, ...(revision > 0 && { revision }) });
    // All pages are of the revision the first was read at.
    if (revision === 0) revision = page.revision;
    for (const entry of page.entries) {
      const change = objectIn(layout, entry);
      if (change !== undefined) changes.push(change);
    }
    const last = page.entries.at(-1);
    if (!page.more || last === undefined) break;
    key = `${last.key}\0`;
    limit = nextLimit(limit, page);
  }
  changes.sort((a, b) => a.version.revision - b.version.revision);
  return { changes, revision };
}

function nextLimit(limit: number, { entries }: RangeResponse): number {
  const bytes = entries.reduce((sum, { value }) => sum + value.length, 1);
  return Math.min(Math.max(Math.round((limit * PAGE_BYTES) / bytes), FEWEST), MOST);
}
