import { DELIMITED, tagOf, VARINT } from '../../../schema/wire.ts';
import { WireReader } from '../../../schema/wire-reader.ts';
import { type WireWriter, writtenBy } from '../../../schema/wire-writer.ts';

/** The few messages of etcd's API that the store speaks. Field numbers are those of etcd's `rpc.proto` and `kv.proto`. */

export interface RangeRequest {
  readonly key: string;
  /** First key after the range; absent: `key` alone. */
  readonly end?: string;
  readonly limit?: number;
  /** As of this revision; absent: as it is now, linearizable. */
  readonly revision?: number;
  readonly keysOnly?: boolean;
  /** Only keys that were changed at this revision or later. */
  readonly changedSince?: number;
}

export interface KeyValue {
  readonly key: string;
  /** A view into the message it came in. */
  readonly value: Buffer;
  readonly revision: number;
}

export interface RangeResponse {
  /** What the answer is as of, unless a revision was asked for. */
  readonly revision: number;
  readonly entries: readonly KeyValue[];
  readonly more: boolean;
}

/** `revision` and `upTo` compare when the key was last changed, 0 meaning that it is not there. `below` compares text. */
export type Comparison =
  | { readonly key: string; readonly revision: number }
  | { readonly key: string; readonly upTo: number }
  | { readonly key: string; readonly below: string };

export type Operation =
  | { readonly put: string; readonly value: Uint8Array }
  | { readonly remove: string }
  | { readonly read: RangeRequest };

export interface TxnRequest {
  readonly compare: readonly Comparison[];
  readonly success: readonly Operation[];
  readonly failure: readonly Operation[];
}

export interface TxnResponse {
  readonly succeeded: boolean;
  /** The one its changes got, if it made any. */
  readonly revision: number;
  /** Answers to reads, in their order. */
  readonly reads: readonly RangeResponse[];
}

export interface WatchEvent extends KeyValue {
  readonly deleted: boolean;
}

export interface WatchResponse {
  readonly canceled: boolean;
  /** Above 0: the watch began in history that is gone up to here. */
  readonly compacted: number;
  readonly events: readonly WatchEvent[];
}

export const encodeRange = (request: RangeRequest): Buffer => writtenBy((writer) => writeRange(writer, request));

export const encodeTxn = (request: TxnRequest): Buffer =>
  writtenBy((writer) => {
    writeOperations(writer, 3, request.failure);
    writeOperations(writer, 2, request.success);
    for (const one of request.compare) message(writer, 1, () => writeComparison(writer, one));
  });

export const encodeCompaction = (revision: number): Buffer => writtenBy((writer) => integer(writer, 1, revision));

export const encodeWatch = (key: string, end: string, startRevision: number): Buffer =>
  writtenBy((writer) =>
    message(writer, 1, () => {
      integer(writer, 3, startRevision);
      text(writer, 2, end);
      text(writer, 1, key);
    }),
  );

export const decodeRange = (bytes: Buffer): RangeResponse => readRange(new WireReader(bytes));

export function decodeTxn(bytes: Buffer): TxnResponse {
  const reads: RangeResponse[] = [];
  let revision = 0;
  let succeeded = false;
  const reader = new WireReader(bytes);
  eachField(reader, (tag) => {
    if (tag === tagOf(1, DELIMITED)) revision = within(reader, readHeader);
    else if (tag === tagOf(2, VARINT)) succeeded = reader.bool();
    else if (tag === tagOf(3, DELIMITED)) within(reader, (inner) => readAnswer(inner, reads));
    else reader.skip(tag);
  });
  return { revision, succeeded, reads };
}

export function decodeWatch(bytes: Buffer): WatchResponse {
  const events: WatchEvent[] = [];
  let canceled = false;
  let compacted = 0;
  const reader = new WireReader(bytes);
  eachField(reader, (tag) => {
    if (tag === tagOf(4, VARINT)) canceled = reader.bool();
    else if (tag === tagOf(5, VARINT)) compacted = reader.int64();
    else if (tag === tagOf(11, DELIMITED)) events.push(within(reader, readEvent));
    else reader.skip(tag);
  });
  return { canceled, compacted, events };
}

// A writer writes from the end to the beginning: the last field comes first.

function integer(writer: WireWriter, field: number, value: number | undefined): void {
  if (value === undefined) return;
  writer.integer(value);
  writer.varint(tagOf(field, VARINT));
}

function text(writer: WireWriter, field: number, value: string | undefined): void {
  if (value === undefined) return;
  writer.string(value);
  writer.varint(tagOf(field, DELIMITED));
}

function message(writer: WireWriter, field: number, write: () => void): void {
  const before = writer.size;
  write();
  writer.varint(writer.size - before);
  writer.varint(tagOf(field, DELIMITED));
}

function writeRange(writer: WireWriter, request: RangeRequest): void {
  const { key, end, limit, revision, keysOnly, changedSince } = request;
  integer(writer, 10, changedSince);
  integer(writer, 8, keysOnly ? 1 : undefined);
  integer(writer, 4, revision);
  integer(writer, 3, limit);
  text(writer, 2, end);
  text(writer, 1, key);
}

const EQUAL = 0;
const LESS = 2;
const TARGET_REVISION = 2;
const TARGET_VALUE = 3;

function writeComparison(writer: WireWriter, comparison: Comparison): void {
  const [target, result] = 'below' in comparison ? [TARGET_VALUE, LESS] : [TARGET_REVISION, resultOf(comparison)];
  if ('below' in comparison) text(writer, 7, comparison.below);
  else integer(writer, 6, 'upTo' in comparison ? comparison.upTo + 1 : comparison.revision);
  text(writer, 3, comparison.key);
  integer(writer, 2, target);
  integer(writer, 1, result);
}

const resultOf = (comparison: Comparison): number => ('upTo' in comparison ? LESS : EQUAL);

function writeOperations(writer: WireWriter, field: number, operations: readonly Operation[]): void {
  for (const operation of operations.toReversed()) message(writer, field, () => writeOperation(writer, operation));
}

function writeOperation(writer: WireWriter, operation: Operation): void {
  if ('put' in operation) message(writer, 2, () => writePut(writer, operation.put, operation.value));
  else if ('remove' in operation) message(writer, 3, () => text(writer, 1, operation.remove));
  else message(writer, 1, () => writeRange(writer, operation.read));
}

function writePut(writer: WireWriter, key: string, value: Uint8Array): void {
  writer.bytes(value);
  writer.varint(tagOf(2, DELIMITED));
  text(writer, 1, key);
}

function eachField(reader: WireReader, take: (tag: number) => void): void {
  while (reader.more) take(reader.tag());
}

function within<T>(reader: WireReader, read: (reader: WireReader) => T): T {
  const outer = reader.enter();
  const result = read(reader);
  reader.leave(outer);
  return result;
}

/** The revision; the ids beside it do not fit numbers. */
function readHeader(reader: WireReader): number {
  let revision = 0;
  eachField(reader, (tag) => {
    if (tag === tagOf(3, VARINT)) revision = reader.int64();
    else reader.skip(tag);
  });
  return revision;
}

function readRange(reader: WireReader): RangeResponse {
  const entries: KeyValue[] = [];
  let revision = 0;
  let more = false;
  eachField(reader, (tag) => {
    if (tag === tagOf(1, DELIMITED)) revision = within(reader, readHeader);
    else if (tag === tagOf(2, DELIMITED)) entries.push(within(reader, readEntry));
    else if (tag === tagOf(3, VARINT)) more = reader.bool();
    else reader.skip(tag);
  });
  return { revision, entries, more };
}

const NOTHING = Buffer.alloc(0);

function readEntry(reader: WireReader): KeyValue {
  let key = '';
  let revision = 0;
  let value: Buffer = NOTHING;
  eachField(reader, (tag) => {
    if (tag === tagOf(1, DELIMITED)) key = reader.view().toString();
    else if (tag === tagOf(3, VARINT)) revision = reader.int64();
    else if (tag === tagOf(5, DELIMITED)) value = reader.view();
    else reader.skip(tag);
  });
  return { key, value, revision };
}

/** One answer within a transaction; only those to reads say anything. */
function readAnswer(reader: WireReader, reads: RangeResponse[]): void {
  eachField(reader, (tag) => {
    if (tag === tagOf(1, DELIMITED)) reads.push(within(reader, readRange));
    else reader.skip(tag);
  });
}

function readEvent(reader: WireReader): WatchEvent {
  let deleted = false;
  let entry: KeyValue = { key: '', value: NOTHING, revision: 0 };
  eachField(reader, (tag) => {
    if (tag === tagOf(1, VARINT)) deleted = reader.int32() === 1;
    else if (tag === tagOf(2, DELIMITED)) entry = within(reader, readEntry);
    else reader.skip(tag);
  });
  const { key, value, revision } = entry;
  return { key, value, revision, deleted };
}
