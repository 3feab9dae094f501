import { StorageRefused } from '../backend.ts';
import type { Cluster } from './cluster.ts';
import { comparableRevision, type Layout } from './layout.ts';

const FORMAT = '2';

/** What this server can make its own: there, every write changed a key that it no longer changes. */
const EARLIER_FORMAT = '1';

/**
 * Makes sure that what is below the prefix is ours and in our vocabulary; marks it as such where there is nothing yet,
 * and where it is of an earlier format, which servers that know no other cannot open from then on. Rejects with
 * `StorageRefused`.
 */
export async function identify(cluster: Cluster, layout: Layout, vocabulary: string): Promise<void> {
  const mine = `${FORMAT} ${vocabulary}`;
  const found = (await read(cluster, layout)) ?? (await initialise(cluster, layout, mine));
  const theirs = found === `${EARLIER_FORMAT} ${vocabulary}` ? await mark(cluster, layout, mine) : found;
  if (theirs === mine) return;
  const [format = '', name = ''] = theirs.split(' ');
  if (format !== FORMAT && format !== EARLIER_FORMAT) {
    throw new StorageRefused(`etcd has the data format ${format} below ${layout.first}; this server reads ${FORMAT}`);
  }
  throw new StorageRefused(
    `what etcd has below ${layout.first} is written in the vocabulary ${name}; it cannot be opened in ${vocabulary}`,
  );
}

async function mark(cluster: Cluster, { identity }: Layout, mine: string): Promise<string> {
  await cluster.txn({ compare: [], success: [{ put: identity, value: Buffer.from(mine) }], failure: [] });
  return mine;
}

async function read(cluster: Cluster, { identity }: Layout): Promise<string | undefined> {
  return (await cluster.range({ key: identity })).entries[0]?.value.toString();
}

/** What the prefix is marked as afterwards; another server may have been faster. */
async function initialise(cluster: Cluster, layout: Layout, mine: string): Promise<string> {
  const { first, end, identity, compaction } = layout;
  const { entries } = await cluster.range({ key: first, end, limit: 1, keysOnly: true });
  if (entries.length > 0 && entries[0]?.key !== compaction) {
    const theirs = await read(cluster, layout);
    if (theirs !== undefined) return theirs;
    throw new StorageRefused(`etcd holds keys below ${first} that are not of this server; choose another prefix`);
  }
  await cluster.txn({
    compare: [{ key: identity, revision: 0 }],
    success: [
      { put: identity, value: Buffer.from(mine) },
      { put: compaction, value: Buffer.from(comparableRevision(0)) },
    ],
    failure: [],
  });
  return (await read(cluster, layout)) ?? mine;
}
