import { writeMessage } from '../schema/derive/protobuf.ts';
import type { Node } from '../schema/schema.ts';
import { DELIMITED, tagOf, WireError } from '../schema/wire.ts';
import { WireReader } from '../schema/wire-reader.ts';
import { type WireWriter, writtenBy } from '../schema/wire-writer.ts';

/** Every object that travels on its own starts with these bytes, in either vocabulary. */
const PREFIX = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

const NOTHING: Buffer = Buffer.alloc(0);

/** Then comes its envelope: what it is, the object itself, and two words on its encoding that nobody uses. */
const TYPE_META = tagOf(1, DELIMITED);
const RAW = tagOf(2, DELIMITED);
const CONTENT_ENCODING = tagOf(3, DELIMITED);
const CONTENT_TYPE = tagOf(4, DELIMITED);

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
  readonly raw: Buffer;
}

/** An object in canonical form, in its envelope. */
export const encodeProtobuf = (node: Node, apiVersion: string, kind: string, value: unknown): Buffer =>
  enveloped(apiVersion, kind, (writer) => writeMessage(node, writer, value));

/** A list in its envelope, put together from messages: that of its metadata, and one for each item. */
export const encodeProtobufList = (
  apiVersion: string,
  kind: string,
  metadata: Buffer,
  items: readonly Buffer[],
): Buffer =>
  enveloped(apiVersion, kind, (writer) => {
    for (const item of items.toReversed()) {
      writer.bytes(item);
      writer.varint(LIST_ITEM);
    }
    writer.bytes(metadata);
    writer.varint(LIST_METADATA);
  });

/** Last things first: see WireWriter. */
function enveloped(apiVersion: string, kind: string, writeRaw: (writer: WireWriter) => void): Buffer {
  return writtenBy((writer) => {
    writer.string('');
    writer.varint(CONTENT_TYPE);
    writer.string('');
    writer.varint(CONTENT_ENCODING);
    writeNested(writer, RAW, writeRaw);
    writeNested(writer, TYPE_META, () => {
      writer.string(kind);
      writer.varint(KIND);
      writer.string(apiVersion);
      writer.varint(API_VERSION);
    });
    writer.raw(PREFIX);
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
  while (reader.more) {
    const tag = reader.tag();
    if (tag === TYPE_META) typeMeta = readTypeMeta(reader);
    else if (tag === RAW) raw = reader.view();
    else reader.skipAbove(2, tag);
  }
  return { ...typeMeta, raw };
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
