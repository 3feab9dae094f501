import {
  BRANCH_PAGE,
  type Header,
  LEAF_PAGE,
  OVERFLOW_PAGE,
  PAGE_HEADER,
  type Tree,
  wideNumber,
} from './file-header.ts';
import { FileDamaged, type PageFile, PageReader } from './page-file.ts';

/** Receives an entry of a tree; both buffers are lent until the call returns. */
export type Visit = (key: Buffer, value: Buffer, isTree: boolean) => void;

export type Order = (a: Buffer, b: Buffer) => number;

const NODE_HEADER = 8;
const OVERFLOW_NODE = 24;
/** Node flags: the value is on pages of its own; the value describes a tree. */
const ELSEWHERE = 1;
const IS_TREE = 2;
const NO_PAGE = 2 ** 64;
/** Left in the flags of a page by the transaction that wrote it; means nothing to readers. */
const PASSING_FLAGS = 0x2000;
const DEEPEST = 32;

/** What has been counted of a tree on the way through it. */
interface Walk {
  readonly name: string;
  readonly visit: Visit;
  readonly order: Order;
  branchPages: number;
  leafPages: number;
  overflowPages: number;
  entries: number;
  last: Buffer | undefined;
}

/**
 * Reads trees from the file and checks all that LMDB would rely on: it follows what is on a page wherever that leads.
 * Every page has the number, kind and age that it must have and belongs to one tree only, nodes lie within their page,
 * keys are in order, and the counts are right.
 */
export class TreeReader {
  readonly #header: Header;
  readonly #leaves: PageReader;
  readonly #overflows: PageReader;
  /** How many pages the file has. */
  readonly #pages: number;
  /** A bit for every page that has been seen in some tree. */
  readonly #seen: Uint8Array;

  constructor(file: PageFile, header: Header) {
    this.#header = header;
    this.#leaves = new PageReader(file, header.pageSize);
    this.#overflows = new PageReader(file, header.pageSize);
    this.#pages = Math.min(header.lastPage + 1, Math.floor(file.size / header.pageSize));
    this.#seen = new Uint8Array((this.#pages >>> 3) + 1);
    // The meta pages cannot be in a tree.
    this.#mark(0);
    this.#mark(1);
  }

  /** Calls back for every entry of a tree, in order. */
  walk(name: string, tree: Tree, visit: Visit, order?: Order): void {
    for (const _page of this.walkPages(name, tree, visit, order));
  }

  /** As `walk`, a page of entries at a time: goes on when it is asked to. */
  *walkPages(name: string, tree: Tree, visit: Visit, order: Order = Buffer.compare): Generator<void, void> {
    const walk: Walk = {
      name,
      visit,
      order,
      branchPages: 0,
      leafPages: 0,
      overflowPages: 0,
      entries: 0,
      last: undefined,
    };
    if (tree.root < NO_PAGE) {
      if (tree.depth < 1 || tree.depth > DEEPEST) throw new FileDamaged(`the table ${name} cannot be that deep`);
      yield* this.#visitPage(walk, tree.root, tree.depth, undefined);
    }
    const isComplete =
      walk.entries === tree.entries &&
      walk.leafPages === tree.leafPages &&
      walk.branchPages === tree.branchPages &&
      walk.overflowPages === tree.overflowPages;
    if (!isComplete) throw new FileDamaged(`the table ${name} has ${walk.entries} of ${tree.entries} entries`);
  }

  /** Whether a page can be free: it is one of the file, and of no tree that has been walked. */
  isFree(page: number): boolean {
    if (page > this.#header.lastPage) return false;
    // The last pages of a file may be free and were never written.
    return page >= this.#pages || !this.#isSeen(page);
  }

  #isSeen(page: number): boolean {
    return ((this.#seen[page >>> 3] ?? 0) & (1 << (page & 7))) !== 0;
  }

  #mark(page: number): void {
    const at = page >>> 3;
    this.#seen[at] = (this.#seen[at] ?? 0) | (1 << (page & 7));
  }

  #take(walk: Walk, page: number, count = 1): void {
    const end = page + count;
    for (let each = page; each < end; each++) {
      const isMissing = each >= this.#pages;
      if (isMissing || this.#isSeen(each)) {
        throw new FileDamaged(`page ${each} of the table ${walk.name} is ${isMissing ? 'missing' : 'used twice'}`);
      }
      this.#mark(each);
    }
  }

  #checkPage(walk: Walk, page: Buffer, number: number, kind: number): void {
    const isRight =
      wideNumber(page, 0) === number &&
      wideNumber(page, 8) <= this.#header.transaction &&
      (page.readUInt16LE(18) & ~PASSING_FLAGS) === kind;
    if (!isRight) throw new FileDamaged(`page ${number} of the table ${walk.name} is another one`);
  }

  *#visitPage(walk: Walk, number: number, depth: number, least: Buffer | undefined): Generator<void, void> {
    this.#take(walk, number);
    const kind = depth === 1 ? LEAF_PAGE : BRANCH_PAGE;
    const page = this.#leaves.pages(number, 1);
    this.#checkPage(walk, page, number, kind);
    if (kind === LEAF_PAGE) yield this.#visitLeaf(walk, page, number, least);
    else yield* this.#visitBranch(walk, Buffer.from(page), number, depth);
  }

  *#visitBranch(walk: Walk, page: Buffer, number: number, depth: number): Generator<void, void> {
    walk.branchPages++;
    const count = this.#countOf(walk, page, number);
    for (let index = 0; index < count; index++) {
      const { at, keySize, end } = this.#nodeAt(walk, page, number, index);
      if (end > page.length) throw brokenNode(walk, number);
      const key = page.subarray(at + NODE_HEADER, at + NODE_HEADER + keySize);
      const isBehind = index > 0 && walk.last !== undefined && walk.order(walk.last, key) >= 0;
      if (isBehind) throw outOfOrder(walk, number);
      const child = page.readUInt32LE(at) + page.readUInt16LE(at + 4) * 2 ** 32;
      yield* this.#visitPage(walk, child, depth - 1, index > 0 ? key : undefined);
    }
  }

  #visitLeaf(walk: Walk, page: Buffer, number: number, least: Buffer | undefined): void {
    walk.leafPages++;
    const count = this.#countOf(walk, page, number);
    let last = walk.last;
    for (let index = 0; index < count; index++) {
      const { at, keySize, end } = this.#nodeAt(walk, page, number, index);
      const flags = page.readUInt16LE(at + 4);
      const size = page.readUInt32LE(at);
      const start = at + NODE_HEADER + keySize;
      const isElsewhere = flags === ELSEWHERE;
      if (flags > IS_TREE || end + (isElsewhere ? OVERFLOW_NODE : size) > page.length) throw brokenNode(walk, number);
      const key = page.subarray(at + NODE_HEADER, start);
      const isBehind = last !== undefined && walk.order(last, key) >= 0;
      if (isBehind || (index === 0 && least && walk.order(least, key) > 0)) throw outOfOrder(walk, number);
      const value = isElsewhere ? this.#overflow(walk, page, start, size) : page.subarray(start, start + size);
      walk.entries++;
      walk.visit(key, value, flags === IS_TREE);
      last = key;
    }
    // The page is lent.
    walk.last = last && Buffer.from(last);
  }

  #countOf(walk: Walk, page: Buffer, number: number): number {
    const lower = page.readUInt16LE(20);
    const upper = page.readUInt16LE(22);
    const fits = lower <= upper && PAGE_HEADER + upper <= page.length && lower % 2 === 0 && lower > 0;
    if (!fits) throw brokenNode(walk, number);
    return lower / 2;
  }

  /** Where a node begins, how long its key is, and where that ends. */
  #nodeAt(walk: Walk, page: Buffer, number: number, index: number): { at: number; keySize: number; end: number } {
    const pointer = page.readUInt16LE(PAGE_HEADER + 2 * index);
    const at = PAGE_HEADER + pointer;
    if (pointer < page.readUInt16LE(22) || at + NODE_HEADER > page.length) throw brokenNode(walk, number);
    const keySize = page.readUInt16LE(at + 6);
    return { at, keySize, end: at + NODE_HEADER + keySize };
  }

  #overflow(walk: Walk, node: Buffer, at: number, size: number): Buffer {
    const first = wideNumber(node, at);
    const count = wideNumber(node, at + 16);
    if (count > this.#header.lastPage || size > count * this.#header.pageSize - PAGE_HEADER) {
      throw new FileDamaged(`a value of the table ${walk.name} is larger than its pages`);
    }
    this.#take(walk, first, count);
    const pages = this.#overflows.pages(first, count);
    this.#checkPage(walk, pages, first, OVERFLOW_PAGE);
    if (pages.readUInt32LE(20) !== count) throw brokenNode(walk, first);
    walk.overflowPages += count;
    return pages.subarray(PAGE_HEADER, PAGE_HEADER + size);
  }
}

const brokenNode = (walk: Walk, page: number) =>
  new FileDamaged(`page ${page} of the table ${walk.name} holds what cannot be there`);
const outOfOrder = (walk: Walk, page: number) =>
  new FileDamaged(`page ${page} of the table ${walk.name} is not in order`);
