import { writeMessage } from '../schema/derive/protobuf.ts';
import type { Node } from '../schema/node.ts';
import { DELIMITED, tagOf, WireError } from '../schema/wire.ts';
import { WireReader } from '../schema/wire-reader.ts';
import { type WireWriter, writtenBy } from '../schema/wire-writer.ts';
import type { ListEncoding } from './list-encoding.ts';

/** Every object that travels on its own starts with these bytes, in either vocabulary. */
const PREFIX = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

const NOTHING: Buffer = Buffer.alloc(0);

/** Then comes its envelope: what it is, the object itself, and two words on its encoding, empty for the usual one. */
const TYPE_META = tagOf(1, DELIMITED);
const RAW = tagOf(2, DELIMITED);
const CONTENT_ENCODING = tagOf(3, DELIMITED);
const CONTENT_TYPE = tagOf(4, DELIMITED);

/** How an envelope ends: the encoding is the usual one. */
const USUAL_ENCODING = Buffer.from([CONTENT_ENCODING, 0, CONTENT_TYPE, 0]);

const API_VERSION = tagOf(1, DELIMITED);
const KIND = tagOf(2, DELIMITED);

const LIST_METADATA = tagOf(1, DELIMITED);
const LIST_ITEM = tagOf(2, DELIMITED);

const EVENT_TYPE = tagOf(1, DELIMITED);
const EVENT_OBJECT = tagOf(2, DELIMITED);
const EMBEDDED_RAW = tagOf(1, DELIMITED);
const FRAME_LENGTH_BYTES = 4;

/** An object in its envelope. `raw` is a view of the bytes it came in, for `decodeMessage`. */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  /** What was done to the bytes, such as compressing them; '' for nothing. */
  readonly contentEncoding: string;
  /** '' for protobuf. */
  readonly contentType: string;
  readonly raw: Buffer;
}

/** An object in canonical form, in its envelope. */
export const encodeProtobuf = (node: Node, apiVersion: string, kind: string, value: unknown): Buffer =>
  enveloped(apiVersion, kind, (writer) => writeMessage(node, writer, value));

/** A message in its envelope. */
export const envelop = (apiVersion: string, kind: string, message: Buffer): Buffer =>
  enveloped(apiVersion, kind, (writer) => writer.raw(message));

/** A list in its envelope, put together from messages: that of its metadata, and one for each item. */
export const protobufList = (
  apiVersion: string,
  kind: string,
  metadata: Buffer,
  items: readonly Buffer[],
): ListEncoding =>
  protobufListOf(
    apiVersion,
    kind,
    metadata,
    items.reduce((size, item) => size + sizeOfItem(item), 0),
  );

/** The same where the items come one by one. `itemBytes`: how long they are together, by `sizeOfItem`. */
export function protobufListOf(apiVersion: string, kind: string, metadata: Buffer, itemBytes: number): ListEncoding {
  const head = writtenBy((writer) => {
    writer.bytes(metadata);
    writer.varint(LIST_METADATA);
    writer.varint(writer.size + itemBytes);
    writer.varint(RAW);
    writeTypeMeta(writer, apiVersion, kind);
    writer.raw(PREFIX);
  });
  return { head, tail: USUAL_ENCODING, ...LIST_ITEMS };
}

/** How long an item is in a list. */
export const sizeOfItem = ({ length }: Buffer): number => 2 + Math.floor((31 - Math.clz32(length | 1)) / 7) + length;

/** Before each item of a list stand the tag and the length of it. */
const LIST_ITEMS = {
  sizeOf: sizeOfItem,

  write(item: Buffer, _index: number, target: Buffer, start: number): void {
    let at = start;
    target[at++] = LIST_ITEM;
    let rest = item.length;
    for (; rest >= 0x80; rest >>>= 7) target[at++] = (rest & 0x7f) | 0x80;
    target[at++] = rest;
    target.set(item, at);
  },
};

/** Last things first: see WireWriter. */
function enveloped(apiVersion: string, kind: string, writeRaw: (writer: WireWriter) => void): Buffer {
  return writtenBy((writer) => {
    writer.raw(USUAL_ENCODING);
    writeNested(writer, RAW, writeRaw);
    writeTypeMeta(writer, apiVersion, kind);
    writer.raw(PREFIX);
  });
}

function writeTypeMeta(writer: WireWriter, apiVersion: string, kind: string): void {
  writeNested(writer, TYPE_META, () => {
    writer.string(kind);
    writer.varint(KIND);
    writer.string(apiVersion);
    writer.varint(API_VERSION);
  });
}

function writeNested(writer: WireWriter, tag: number, write: (writer: WireWriter) => void): void {
  const before = writer.size;
  write(writer);
  writer.varint(writer.size - before);
  writer.varint(tag);
}

/** Takes an object out of its envelope; throws a WireError when it is in none. */
export function decodeProtobuf(bytes: Buffer): Envelope {
  if (!PREFIX.every((byte, at) => bytes[at] === byte)) {
    throw new WireError('not an object in protobuf: it does not start with the four bytes that mark one');
  }
  const reader = new WireReader(bytes, PREFIX.length);
  let typeMeta = { apiVersion: '', kind: '' };
  let raw = NOTHING;
  let contentEncoding = '';
  let contentType = '';
  while (reader.more) {
    const tag = reader.tag();
    if (tag === TYPE_META) typeMeta = readTypeMeta(reader);
    else if (tag === RAW) raw = reader.view();
    else if (tag === CONTENT_ENCODING) contentEncoding = reader.string();
    else if (tag === CONTENT_TYPE) contentType = reader.string();
    else reader.skipAbove(4, tag);
  }
  return { ...typeMeta, contentEncoding, contentType, raw };
}

function readTypeMeta(reader: WireReader): { apiVersion: string; kind: string } {
  let apiVersion = '';
  let kind = '';
  const outer = reader.enter();
  while (reader.more) {
    const tag = reader.tag();
    if (tag === API_VERSION) apiVersion = reader.string();
    else if (tag === KIND) kind = reader.string();
    else reader.skipAbove(2, tag);
  }
  reader.leave(outer);
  return { apiVersion, kind };
}

/** One event of a watch: four bytes that say its length, then the event, around an object in its envelope. */
export const encodeWatchFrame = (type: string, object: Buffer): Buffer =>
  writtenBy((writer) => {
    writeNested(writer, EVENT_OBJECT, () => {
      writer.bytes(object);
      writer.varint(EMBEDDED_RAW);
    });
    writer.string(type);
    writer.varint(EVENT_TYPE);
    const length = Buffer.allocUnsafe(FRAME_LENGTH_BYTES);
    length.writeUInt32BE(writer.size);
    writer.raw(length);
  });

/** An event, its object still in its envelope, and how many bytes the frame took. */
export interface WatchFrame {
  readonly type: string;
  readonly object: Buffer;
  readonly size: number;
}

/** The frame that the bytes start with, or undefined when it is not there as a whole yet. */
export function decodeWatchFrame(bytes: Buffer): WatchFrame | undefined {
  if (bytes.length < FRAME_LENGTH_BYTES) return undefined;
  const size = FRAME_LENGTH_BYTES + bytes.readUInt32BE();
  if (bytes.length < size) return undefined;
  const reader = new WireReader(bytes.subarray(0, size), FRAME_LENGTH_BYTES);
  let type = '';
  let object = NOTHING;
  while (reader.more) {
    const tag = reader.tag();
    if (tag === EVENT_TYPE) type = reader.string();
    else if (tag === EVENT_OBJECT) object = readEmbedded(reader);
    else reader.skipAbove(2, tag);
  }
  return { type, object, size };
}

function readEmbedded(reader: WireReader): Buffer {
  let raw = NOTHING;
  const outer = reader.enter();
  while (reader.more) {
    const tag = reader.tag();
    if (tag === EMBEDDED_RAW) raw = reader.view();
    else reader.skipAbove(1, tag);
  }
  reader.leave(outer);
  return raw;
}
