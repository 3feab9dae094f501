import type { FileUse } from './disk-room.ts';
import { type Header, readHeader, TREE_SIZE, type Tree, treeAt, wideNumber } from './file-header.ts';
import { FileDamaged, PageFile } from './page-file.ts';
import { TreeReader } from './tree-reader.ts';

/** Receives a record, which is lent until the call returns. */
export type VisitRecord = (revision: number, record: Buffer) => void;

/**
 * The file of a store, read without LMDB, which would trust it. Nobody may write to it meanwhile; or, once it is opened,
 * only who keeps the pages that were in use then.
 */
export class StoreFile {
  readonly #file: PageFile;
  readonly #header: Header;
  readonly #reader: TreeReader;
  readonly #tables = new Map<string, Tree>();
  /** The entries of the table `meta`; undefined where there is none. */
  readonly meta: ReadonlyMap<string, string> | undefined;

  /** Reads the header and the small tables. Throws `FileDamaged`. */
  constructor(path: string) {
    this.#file = new PageFile(path);
    try {
      this.#header = readHeader(this.#file);
      this.#reader = new TreeReader(this.#file, this.#header);
      this.#reader.walk('of tables', this.#header.main, (key, value, isTree) => {
        if (isTree && value.length !== TREE_SIZE) throw new FileDamaged('a table is not described as one');
        this.#tables.set(nameIn(key), isTree ? treeAt(value, 0) : NOTHING);
      });
      this.meta = this.#readMeta();
    } catch (error) {
      this.#file.close();
      throw error;
    }
  }

  /** In bytes. */
  get size(): number {
    return this.#file.size;
  }

  /** There is nothing in it at all. */
  get isEmpty(): boolean {
    return this.#tables.size === 0;
  }

  /** How large it is, and how much of it holds something. */
  get use(): FileUse {
    const { pageSize, lastPage, free, main } = this.#header;
    const trees = [free, main, ...this.#tables.values()];
    const pages = trees.reduce((sum, tree) => sum + tree.branchPages + tree.leafPages + tree.overflowPages, 2);
    return { total: (lastPage + 1) * pageSize, used: pages * pageSize };
  }

  /**
   * Calls back for every record in revision order. When it returns, all of the file is known to be sound, the list of
   * its free pages included. Records are lent until the call returns. Throws `FileDamaged`.
   */
  visitRecords(visit: VisitRecord): void {
    this.#reader.walk('versions', this.#versions, (key, record) => visit(revisionOf(key), record));
    this.#checkFreePages();
  }

  /** As `visitRecords`, a page of records at a time, and any number of times; free pages are left alone. */
  visitPages(visit: VisitRecord): Generator<void, void> {
    const reader = new TreeReader(this.#file, this.#header);
    return reader.walkPages('versions', this.#versions, (key, record) => visit(revisionOf(key), record));
  }

  close(): void {
    this.#file.close();
  }

  get #versions(): Tree {
    const versions = this.#tables.get('versions');
    if (versions === undefined) throw new FileDamaged('it has no table of versions');
    return versions;
  }

  #readMeta(): ReadonlyMap<string, string> | undefined {
    const tree = this.#tables.get('meta');
    if (tree === undefined) return undefined;
    const meta = new Map<string, string>();
    this.#reader.walk('meta', tree, (key, value) => meta.set(key.toString(), value.toString()));
    return meta;
  }

  /** A page that is counted as free while it is used would be written over. Last, when all that is used is known. */
  #checkFreePages(): void {
    const lists: Buffer[] = [];
    const byTransaction = (a: Buffer, b: Buffer) => wideNumber(a, 0) - wideNumber(b, 0);
    const keep = (key: Buffer, list: Buffer): void => {
      if (key.length !== 8 || list.length < 8) throw damagedFreeList();
      lists.push(Buffer.from(list));
    };
    this.#reader.walk('of free pages', this.#header.free, keep, byTransaction);
    for (const list of lists) this.#checkFreeList(list);
  }

  /** How many words follow, then page numbers; a negative word is the length of the run that begins at the next one. */
  #checkFreeList(list: Buffer): void {
    const words = wideNumber(list, 0);
    if ((words + 1) * 8 > list.length) throw damagedFreeList();
    for (let at = 1, run = 1; at <= words; at++) {
      const word = Number(list.readBigInt64LE(at * 8));
      if (word > 0) {
        for (let page = word; page < word + run; page++) if (!this.#reader.isFree(page)) throw damagedFreeList();
      }
      run = word < 0 ? -word : 1;
      if (run > this.#header.lastPage) throw damagedFreeList();
    }
  }
}

const NOTHING: Tree = { depth: 0, branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0, root: 2 ** 64 };

/** Names of tables end with a zero. */
const nameIn = (key: Buffer): string => key.toString('utf8', 0, key.at(-1) === 0 ? key.length - 1 : key.length);

const damagedFreeList = () => new FileDamaged('its list of free pages is wrong');

const DOUBLE = Buffer.alloc(8);

/** Keys of numbers are a 1 and the bits of the number as a double, in half bytes, without the zeros at the end. */
function revisionOf(key: Buffer): number {
  for (let at = 0; at < 8; at++) DOUBLE[at] = ((key[at] ?? 0) << 4) | ((key[at + 1] ?? 0) >>> 4);
  const revision = DOUBLE.readDoubleBE();
  if ((key[0] ?? 0) >>> 4 !== 1 || !Number.isSafeInteger(revision) || revision <= 0) {
    throw new FileDamaged('a record has no revision');
  }
  return revision;
}
