import { StorageRefused } from '../../backend.ts';
import type { Cluster } from './cluster.ts';
import { comparableRevision, type Layout } from './layout.ts';

/**
 * How data is written. In format 1 every write changed one key more, the head, by which servers knew where etcd stands,
 * and which held what a deletion left; in format 2 only deletions change another key, and that is another one.
 */
export const FORMAT = 2;
export const FORMER_FORMAT = 1;

const FORMATS: ReadonlySet<string> = new Set([String(FORMER_FORMAT), String(FORMAT)]);

/** What an etcd says of the data that it has of ours. */
export interface Identity {
  readonly format: number;
  /** When it was last changed, as a revision. */
  readonly revision: number;
}

/**
 * Makes sure that what is below the prefix is ours and in our vocabulary; marks it as such where there is nothing yet.
 * Rejects with `StorageRefused`.
 */
export async function identify(cluster: Cluster, layout: Layout, vocabulary: string): Promise<Identity> {
  const { text, revision } = (await read(cluster, layout)) ?? (await initialise(cluster, layout, vocabulary));
  const [format = '', name = ''] = text.split(' ');
  if (!FORMATS.has(format)) {
    throw new StorageRefused(`etcd has the data format ${format} below ${layout.first}; this server reads ${FORMAT}`);
  }
  if (name !== vocabulary) {
    throw new StorageRefused(
      `what etcd has below ${layout.first} is written in the vocabulary ${name}; it cannot be opened in ${vocabulary}`,
    );
  }
  return { format: Number(format), revision };
}

/** What is put for data of a format. */
export const identityText = (format: number, vocabulary: string): Buffer => Buffer.from(`${format} ${vocabulary}`);

interface Found {
  readonly text: string;
  readonly revision: number;
}

async function read(cluster: Cluster, { identity }: Layout): Promise<Found | undefined> {
  const [entry] = (await cluster.range({ key: identity })).entries;
  return entry && { text: entry.value.toString(), revision: entry.revision };
}

/** What the prefix is marked as afterwards; another server may have been faster. */
async function initialise(cluster: Cluster, layout: Layout, vocabulary: string): Promise<Found> {
  const { first, end, identity, compaction } = layout;
  const { entries } = await cluster.range({ key: first, end, limit: 1, keysOnly: true });
  if (entries.length > 0 && entries[0]?.key !== compaction) {
    const theirs = await read(cluster, layout);
    if (theirs !== undefined) return theirs;
    throw new StorageRefused(`etcd holds keys below ${first} that are not of this server; choose another prefix`);
  }
  const mine = identityText(FORMAT, vocabulary);
  const { revision } = await cluster.txn({
    compare: [{ key: identity, revision: 0 }],
    success: [
      { put: identity, value: mine },
      { put: compaction, value: Buffer.from(comparableRevision(0)) },
    ],
    failure: [],
  });
  return (await read(cluster, layout)) ?? { text: mine.toString(), revision };
}
