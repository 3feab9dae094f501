import type { Load, StoredVersion } from '../../backend.ts';
import type { Identity } from './identity.ts';
import type { Look } from './look.ts';
import { decodeRecord, type Keep, leftRecord } from './record.ts';
import type { StoreFile } from './store-file.ts';

const BATCH = 1_000;

/**
 * Hands over all versions of a file in revision order, with their bytes, or with what was found by a look at them; returns
 * the newest revision. Throws `FileDamaged`.
 */
export function readVersions(
  file: StoreFile,
  { checkedFrom }: Identity,
  bytes: { readonly keep: Keep } | { readonly look: Look },
  take: Load,
): number {
  const firstChecked = checkedFrom ?? Number.POSITIVE_INFINITY;
  let batch: StoredVersion[] = [];
  let newest = 0;
  file.visitRecords((revision, record) => {
    const mayBeUnchecked = revision < firstChecked;
    batch.push(
      'keep' in bytes
        ? decodeRecord(revision, record, mayBeUnchecked, bytes.keep)
        : leftRecord(revision, record, mayBeUnchecked, bytes.look),
    );
    newest = revision;
    if (batch.length < BATCH) return;
    take(batch);
    batch = [];
  });
  take(batch);
  return newest;
}

/** As `readVersions`, a page at a time, for whoever takes their time. */
export function* versionPages(
  file: StoreFile,
  { checkedFrom }: Identity,
  keep: Keep,
): Generator<StoredVersion[], void> {
  const firstChecked = checkedFrom ?? Number.POSITIVE_INFINITY;
  let page: StoredVersion[] = [];
  const pages = file.visitPages((revision, record) => {
    page.push(decodeRecord(revision, record, revision < firstChecked, keep));
  });
  for (const _ of pages) {
    yield page;
    page = [];
  }
}
