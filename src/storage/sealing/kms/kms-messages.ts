import { DELIMITED, tagOf } from '../../../schema/wire.ts';
import { WireReader } from '../../../schema/wire-reader.ts';
import { type WireWriter, writtenBy } from '../../../schema/wire-writer.ts';

/** The messages of the service `v2.KeyManagementService`, as plugins speak it. All fields are texts, bytes or maps of them. */

/** What else a plugin wants back with what it has encrypted. */
export type Annotations = ReadonlyMap<string, Buffer>;

export interface KmsStatus {
  readonly version: string;
  /** `ok`, or what is wrong. */
  readonly healthz: string;
  readonly keyId: string;
}

/** A data key as a plugin has encrypted it: what is kept with every object. */
export interface EncryptedKey {
  readonly ciphertext: Buffer;
  readonly keyId: string;
  readonly annotations: Annotations;
}

export const NO_MESSAGE = Buffer.alloc(0);

export const encodeEncryptRequest = (plaintext: Buffer, uid: string): Buffer =>
  writtenBy((writer) => {
    text(writer, 2, uid);
    bytes(writer, 1, plaintext);
  });

export const encodeDecryptRequest = ({ ciphertext, keyId, annotations }: EncryptedKey, uid: string): Buffer =>
  writtenBy((writer) => {
    writeAnnotations(writer, 4, annotations);
    text(writer, 3, keyId);
    text(writer, 2, uid);
    bytes(writer, 1, ciphertext);
  });

/** The answer to an Encrypt, which is also what is kept with objects. */
export const encodeEncryptedKey = ({ ciphertext, keyId, annotations }: EncryptedKey): Buffer =>
  writtenBy((writer) => {
    writeAnnotations(writer, 3, annotations);
    text(writer, 2, keyId);
    bytes(writer, 1, ciphertext);
  });

export function decodeStatus(message: Buffer): KmsStatus {
  const fields = readFields(message);
  return { version: fields.text(1), healthz: fields.text(2), keyId: fields.text(3) };
}

export function decodeEncryptedKey(message: Buffer): EncryptedKey {
  const fields = readFields(message);
  return { ciphertext: fields.bytes(1), keyId: fields.text(2), annotations: fields.annotations(3) };
}

export const decodePlaintext = (message: Buffer): Buffer => readFields(message).bytes(1);

// A writer writes from the end to the beginning: the last field comes first.

function text(writer: WireWriter, field: number, value: string): void {
  writer.string(value);
  writer.varint(tagOf(field, DELIMITED));
}

function bytes(writer: WireWriter, field: number, value: Buffer): void {
  writer.bytes(value);
  writer.varint(tagOf(field, DELIMITED));
}

function writeAnnotations(writer: WireWriter, field: number, annotations: Annotations): void {
  for (const [key, value] of [...annotations].reverse()) {
    const before = writer.size;
    bytes(writer, 2, value);
    text(writer, 1, key);
    writer.varint(writer.size - before);
    writer.varint(tagOf(field, DELIMITED));
  }
}

/** The fields of a message by number; others than the wanted sort are passed over. */
class Fields {
  readonly #found: ReadonlyMap<number, readonly Buffer[]>;

  constructor(found: ReadonlyMap<number, readonly Buffer[]>) {
    this.#found = found;
  }

  bytes(field: number): Buffer {
    return this.#found.get(field)?.at(-1) ?? NO_MESSAGE;
  }

  text(field: number): string {
    return this.bytes(field).toString('utf8');
  }

  annotations(field: number): Annotations {
    const entries = (this.#found.get(field) ?? []).map(readFields);
    return new Map(entries.map((entry) => [entry.text(1), entry.bytes(2)]));
  }
}

function readFields(message: Buffer): Fields {
  const found = new Map<number, Buffer[]>();
  const reader = new WireReader(message);
  while (reader.more) {
    const tag = reader.tag();
    if ((tag & 7) !== DELIMITED) reader.skip(tag);
    else found.set(tag >>> 3, [...(found.get(tag >>> 3) ?? []), reader.view()]);
  }
  return new Fields(found);
}
