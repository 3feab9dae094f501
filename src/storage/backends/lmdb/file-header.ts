import { FileDamaged, type PageFile } from './page-file.ts';

/** Every page begins so: its number, the transaction that wrote it, padding, flags, and two numbers by kind of page. */
export const PAGE_HEADER = 24;
export const BRANCH_PAGE = 1;
export const LEAF_PAGE = 2;
export const OVERFLOW_PAGE = 4;
const META_PAGE = 8;

const MAGIC = 0xbeefc0de;
const FORMAT = 2;
const META_SIZE = 168;
export const TREE_SIZE = 48;

/** A B-tree of pages, as it is described in the header or, for a named table, in the table of tables. */
export interface Tree {
  readonly depth: number;
  readonly branchPages: number;
  readonly leafPages: number;
  readonly overflowPages: number;
  readonly entries: number;
  readonly root: number;
}

/** What the newest of the two meta pages says. */
export interface Header {
  readonly pageSize: number;
  readonly lastPage: number;
  /** The number of the last transaction. */
  readonly transaction: number;
  readonly free: Tree;
  readonly main: Tree;
}

/** Eight bytes as a number. What is too large for one is also too large for anything that can be in a file. */
export function wideNumber(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * 2 ** 32;
}

export const treeAt = (bytes: Buffer, at: number): Tree => ({
  depth: bytes.readUInt16LE(at + 6),
  branchPages: wideNumber(bytes, at + 8),
  leafPages: wideNumber(bytes, at + 16),
  overflowPages: wideNumber(bytes, at + 24),
  entries: wideNumber(bytes, at + 32),
  root: wideNumber(bytes, at + 40),
});

/**
 * Reads both meta pages. Transactions write to them in turn, so that both are whole at any time and their transactions
 * follow each other; a page that is not would make LMDB go on from the other one, without the last transaction.
 */
export function readHeader(file: PageFile): Header {
  if (file.size === 0) throw new FileDamaged('it is empty');
  const first = readMeta(file, 0, 0);
  const second = readMeta(file, 1, first.header.pageSize);
  if (second.header.pageSize !== first.header.pageSize) throw new FileDamaged('its meta pages do not agree');
  const [older, newer] = [first, second].sort((a, b) => a.header.transaction - b.header.transaction);
  if (older === undefined || newer === undefined) throw new FileDamaged('it has no meta pages');
  const distance = newer.header.transaction - older.header.transaction;
  if (distance > 1) throw new FileDamaged('the transactions of its meta pages do not follow each other');
  const { header } = newer;
  // A map may be far larger than the file, but not smaller than what is used of it.
  if (newer.mapSize < (header.lastPage + 1) * header.pageSize || newer.mapSize > 2 ** 47) {
    throw new FileDamaged('its meta page names an impossible size');
  }
  return header;
}

function readMeta(file: PageFile, number: number, offset: number): { header: Header; mapSize: number } {
  if (file.size < offset + META_SIZE) throw new FileDamaged(`it ends at byte ${file.size}, within its header`);
  const page = Buffer.alloc(META_SIZE);
  file.fill(page, offset);
  const isMeta = wideNumber(page, 0) === number && page.readUInt16LE(18) === META_PAGE;
  if (!isMeta || page.readUInt32LE(24) !== MAGIC) throw new FileDamaged(`page ${number} is not a meta page`);
  const format = page.readUInt32LE(28) & 0xffff;
  if (format !== FORMAT) throw new FileDamaged(`it is an LMDB file of format ${format}, not ${FORMAT}`);
  const pageSize = page.readUInt32LE(48);
  if (pageSize < 512 || pageSize > 65_536 || (pageSize & (pageSize - 1)) !== 0) {
    throw new FileDamaged(`its pages cannot have ${pageSize} bytes`);
  }
  const header = {
    pageSize,
    lastPage: wideNumber(page, 144),
    transaction: wideNumber(page, 152),
    free: treeAt(page, 48),
    main: treeAt(page, 96),
  };
  // Each transaction writes the meta page of its own parity.
  if (header.transaction % 2 !== number && header.transaction !== 0) {
    throw new FileDamaged(`meta page ${number} names a transaction of the other one`);
  }
  return { header, mapSize: wideNumber(page, 40) };
}
