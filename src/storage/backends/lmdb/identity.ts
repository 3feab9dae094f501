import { crc32 } from 'node:zlib';
import { type KeptPasts, StorageRefused } from '../../backend.ts';
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
  /** Collections that are compacted to another point. */
  readonly kept: KeptPasts;
  /** The revision from which on all records have a checksum; undefined in a store of the first format. */
  readonly checkedFrom: number | undefined;
}

/** The entries of the table `meta` that say so. */
export function metaOf({ vocabulary, compacted, kept, checkedFrom = 0 }: Identity): ReadonlyMap<MetaKey, string> {
  const entries = new Map<MetaKey, string>([
    ['format', FORMAT],
    ['vocabulary', vocabulary],
    ['compacted', String(compacted)],
    ['checked', String(checkedFrom)],
    ['kept', keptText(compacted, kept)],
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
  const compacted = revisionIn(meta.get('compacted'));
  const isSealed = format === FORMAT;
  if (isSealed && meta.get('seal') !== sealOf(meta)) throw wrongSeal();
  return {
    vocabulary,
    compacted,
    kept: keptIn(meta.get('kept'), compacted),
    checkedFrom: isSealed ? revisionIn(meta.get('checked')) : undefined,
  };
}

const sealOf = (meta: ReadonlyMap<string, string>): string =>
  crc32(SEALED.map((key) => `${key}=${meta.get(key) ?? ''}`).join('\n')).toString(16);

/**
 * Lines of a revision and a collection each, behind a checksum and the compaction point that they belong to. Servers that do
 * not know of this entry leave it as it is when they compact: then it belongs to another point, and says nothing.
 */
function keptText(compacted: number, kept: KeptPasts): string {
  if (kept.size === 0) return '';
  const text = [String(compacted), ...[...kept].map(([name, through]) => `${through} ${name}`)].join('\n');
  return `${crc32(text).toString(16)}\n${text}`;
}

function keptIn(entry: string | undefined, compacted: number): KeptPasts {
  if (!entry) return new Map();
  const [sum, point, ...lines] = entry.split('\n');
  if (sum !== crc32([point, ...lines].join('\n')).toString(16)) throw wrongSeal();
  if (Number(point) !== compacted) return new Map();
  return new Map(
    lines.map((line) => {
      const space = line.indexOf(' ');
      return [line.slice(space + 1), revisionIn(line.slice(0, space))];
    }),
  );
}

const wrongSeal = () => new FileDamaged('what it says of itself is not what was written');

function revisionIn(text = '0'): number {
  if (!/^\d{1,16}$/.test(text)) throw new FileDamaged('it does not say how far its history reaches');
  return Number(text);
}
