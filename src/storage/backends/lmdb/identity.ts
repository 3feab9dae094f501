import { crc32 } from 'node:zlib';
import { StorageRefused } from '../../backend.ts';
import { FileDamaged } from './page-file.ts';
import type { MetaKey } from './tables.ts';

/** Records have checksums from format 2 on. A store of format 1 is read, and is of format 2 from its first write on. */
const FORMAT = '2';
const UNSEALED_FORMAT = '1';
const SEALED: readonly MetaKey[] = ['format', 'vocabulary', 'compacted', 'checked'];

/** What a store is, in the table `meta`. */
export interface Identity {
  readonly vocabulary: string;
  /** The compaction point. */
  readonly compacted: number;
  /** The revision from which on all records have a checksum; undefined in a store of the first format. */
  readonly checkedFrom: number | undefined;
}

/** The entries of the table `meta` that say so. */
export function metaOf({ vocabulary, compacted, checkedFrom = 0 }: Identity): ReadonlyMap<MetaKey, string> {
  const entries = new Map<MetaKey, string>([
    ['format', FORMAT],
    ['vocabulary', vocabulary],
    ['compacted', String(compacted)],
    ['checked', String(checkedFrom)],
  ]);
  return entries.set('seal', sealOf(entries));
}

/** Throws `FileDamaged` for entries that were never written, and `StorageRefused` for a store of another format. */
export function identityOf(directory: string, meta: ReadonlyMap<string, string>): Identity {
  const format = meta.get('format');
  const vocabulary = meta.get('vocabulary');
  if (format === undefined || vocabulary === undefined) throw new FileDamaged('it does not say what it is');
  if (format !== FORMAT && format !== UNSEALED_FORMAT) {
    if (!/^\d{1,4}$/.test(format)) throw wrongSeal();
    throw new StorageRefused(`${directory} has the data format ${format}; this server reads ${FORMAT}`);
  }
  const isSealed = format === FORMAT;
  if (isSealed && meta.get('seal') !== sealOf(meta)) throw wrongSeal();
  return {
    vocabulary,
    compacted: revisionIn(meta.get('compacted')),
    checkedFrom: isSealed ? revisionIn(meta.get('checked')) : undefined,
  };
}

const sealOf = (meta: ReadonlyMap<string, string>): string =>
  crc32(SEALED.map((key) => `${key}=${meta.get(key) ?? ''}`).join('\n')).toString(16);

const wrongSeal = () => new FileDamaged('what it says of itself is not what was written');

function revisionIn(text = '0'): number {
  if (!/^\d{1,16}$/.test(text)) throw new FileDamaged('it does not say how far its history reaches');
  return Number(text);
}
