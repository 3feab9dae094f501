import { FLAG, FRAME, unpadded } from './frames.ts';
import { decodeHuffman } from './huffman.ts';

/** Headers of HTTP/2 as they are on the wire (RFC 7541): as much of it as a client of etcd needs. */

export type Fields = ReadonlyMap<string, string>;

/** The fields that have numbers; those whose values matter to us carry them. */
const STATIC_NAMES = [
  ...':authority :method :method :path :path :scheme :scheme'.split(' '),
  ...Array.from({ length: 7 }, () => ':status'),
  ...(
    'accept-charset accept-encoding accept-language accept-ranges accept access-control-allow-origin age allow ' +
    'authorization cache-control content-disposition content-encoding content-language content-length content-location ' +
    'content-range content-type cookie date etag expect expires from host if-match if-modified-since if-none-match ' +
    'if-range if-unmodified-since last-modified link location max-forwards proxy-authenticate proxy-authorization range ' +
    'referer refresh retry-after server set-cookie strict-transport-security transfer-encoding user-agent vary via ' +
    'www-authenticate'
  ).split(' '),
];
const STATUSES = ['200', '204', '206', '304', '400', '404', '500'];
const FIRST_STATUS = 8;
const POST = 3;
const SCHEMES = { 'http:': 6, 'https:': 7 } as const;
const AUTHORITY = 1;
const PATH = 4;
const CONTENT_TYPE = 31;
/** The first number of the table that grows with what is sent. */
const FIRST_DYNAMIC = STATIC_NAMES.length + 1;

const INDEXED = 0x80;
const WITH_INDEXING = 0x40;
const TABLE_SIZE = 0x20;

/** A whole block, with the flags of the frame that began it. */
export interface HeaderBlock {
  readonly id: number;
  readonly flags: number;
  readonly bytes: Buffer;
}

const LARGEST_BLOCK = 64 << 10;

/** Puts blocks together that come in several frames. Throws when they are not as they should be. */
export class HeaderBlocks {
  #begun: HeaderBlock | undefined;

  /** The block that a frame completes, if it does. */
  take(type: number, flags: number, id: number, payload: Buffer): HeaderBlock | undefined {
    const begun = this.#begun;
    if (begun !== undefined && (type !== FRAME.continuation || id !== begun.id)) throw new Error('headers are cut off');
    if (type === FRAME.headers) return this.#complete(flags, { id, flags, bytes: unpadded(payload, flags) });
    if (type !== FRAME.continuation) return undefined;
    if (begun === undefined) throw new Error('headers go on that have not begun');
    return this.#complete(flags, { ...begun, bytes: Buffer.concat([begun.bytes, payload]) });
  }

  #complete(flags: number, block: HeaderBlock): HeaderBlock | undefined {
    if (block.bytes.length > LARGEST_BLOCK) throw new Error('headers are too long');
    const isWhole = (flags & FLAG.endHeaders) !== 0;
    this.#begun = isWhole ? undefined : { ...block, bytes: Buffer.from(block.bytes) };
    return isWhole ? block : undefined;
  }
}

/**
 * Decodes blocks of a peer that was told to keep no table (SETTINGS_HEADER_TABLE_SIZE 0): what a block means is in the
 * block alone. The few that come again and again are remembered.
 */
export class FieldsDecoder {
  readonly #known = new Map<string, Fields>();

  decode(block: Buffer): Fields {
    const text = block.toString('latin1');
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const fields = new BlockReader(block).read();
    if (this.#known.size < MOST_KNOWN && block.length < LONGEST_KNOWN) this.#known.set(text, fields);
    return fields;
  }
}

const MOST_KNOWN = 32;
const LONGEST_KNOWN = 200;

class BlockReader {
  readonly #block: Buffer;
  #at = 0;

  constructor(block: Buffer) {
    this.#block = block;
  }

  read(): Fields {
    const fields = new Map<string, string>();
    while (this.#at < this.#block.length) {
      const first = this.#block[this.#at] ?? 0;
      if (first & INDEXED) {
        const number = this.#integer(7);
        fields.set(nameOf(number), STATUSES[number - FIRST_STATUS] ?? '');
      } else if (!(first & WITH_INDEXING) && first & TABLE_SIZE) this.#integer(5);
      else {
        const number = this.#integer(first & WITH_INDEXING ? 6 : 4);
        const name = number === 0 ? this.#text() : nameOf(number);
        fields.set(name, this.#text());
      }
    }
    return fields;
  }

  #text(): string {
    const coded = ((this.#block[this.#at] ?? 0) & 0x80) !== 0;
    const length = this.#integer(7);
    const bytes = this.#block.subarray(this.#at, this.#at + length);
    if (bytes.length < length) throw new Error('a header is cut off');
    this.#at += length;
    return coded ? decodeHuffman(bytes) : bytes.toString('latin1');
  }

  #integer(bits: number): number {
    const most = (1 << bits) - 1;
    let value = this.#next() & most;
    if (value < most) return value;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#next();
      value += (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new Error('a number in a header is too large');
  }

  #next(): number {
    const byte = this.#block[this.#at++];
    if (byte === undefined) throw new Error('a header is cut off');
    return byte;
  }
}

function nameOf(number: number): string {
  const name = STATIC_NAMES[number - 1];
  if (name === undefined) throw new Error('a header refers to a table that is not kept');
  return name;
}

/** A table this large holds all fields that are ever sent to one peer. */
const ENOUGH_TABLE = 1024;

/**
 * Encodes the headers of calls. A peer that keeps a table of those it has been sent gets each of them once, and a number
 * from then on; there are few enough for all of them to stay in it.
 */
export class CallEncoder {
  readonly #scheme: number;
  readonly #authority: string;
  readonly #indexes: boolean;
  /** When each field was put into the peer's table. */
  readonly #sent = new Map<string, number>();
  /** Blocks that refer to the table as it is now. */
  readonly #blocks = new Map<string, Buffer>();

  constructor(endpoint: URL, peerTableSize: number) {
    this.#scheme = SCHEMES[endpoint.protocol === 'https:' ? 'https:' : 'http:'];
    // A socket that is a file has no host.
    this.#authority = endpoint.host || 'localhost';
    this.#indexes = peerTableSize >= ENOUGH_TABLE;
  }

  /** The block of one call; to be sent in the order in which they are made. */
  encode(path: string): Buffer {
    const ready = this.#blocks.get(path);
    if (ready !== undefined) return ready;
    const before = this.#sent.size;
    const block = Buffer.concat([
      ...(this.#indexes ? [] : [Buffer.from([TABLE_SIZE])]),
      Buffer.from([INDEXED | POST, INDEXED | this.#scheme]),
      this.#field(PATH, ':path', path),
      this.#field(AUTHORITY, ':authority', this.#authority),
      this.#field(CONTENT_TYPE, 'content-type', 'application/grpc'),
      this.#field(0, 'te', 'trailers'),
      // A member that is cut off from the others says so, rather than let us wait for it.
      this.#field(0, 'hasleader', 'true'),
    ]);
    if (this.#sent.size > before) this.#blocks.clear();
    else this.#blocks.set(path, block);
    return block;
  }

  #field(nameNumber: number, name: string, value: string): Buffer {
    const key = `${name}: ${value}`;
    const at = this.#sent.get(key);
    // The newest has the first number.
    if (at !== undefined) return Buffer.from([INDEXED | (FIRST_DYNAMIC + this.#sent.size - 1 - at)]);
    if (this.#indexes) this.#sent.set(key, this.#sent.size);
    const parts = nameNumber === 0 ? [sized(name), sized(value)] : [sized(value)];
    return Buffer.concat([fieldTag(this.#indexes, nameNumber), ...parts]);
  }
}

const SMALLEST_LONG_NUMBER = 15;

function fieldTag(indexes: boolean, number: number): Buffer {
  if (indexes) return Buffer.from([WITH_INDEXING | number]);
  // Four bits for the number; what does not fit comes in the byte after them.
  if (number < SMALLEST_LONG_NUMBER) return Buffer.from([number]);
  return Buffer.from([SMALLEST_LONG_NUMBER, number - SMALLEST_LONG_NUMBER]);
}

const LONGEST_TEXT = 126;

function sized(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  if (bytes.length > LONGEST_TEXT) throw new Error(`${text} is too long for a header`);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}
