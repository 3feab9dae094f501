import type { Stampable } from '../backend.ts';
import { type Provider, Unsealable } from './provider.ts';

/**
 * What is stored in place of an object that others must not read: a mark that says by what it was sealed, the sealed bytes
 * as base64, and a colon, after which the store puts the revision. An object in the clear begins with a brace.
 */
export interface SealRules {
  /** What all marks begin with. */
  readonly prefix: string;
  /** Who writes; the first who can read does. */
  readonly writer: Provider;
  readonly readers: readonly Provider[];
}

const BRACE = '{'.charCodeAt(0);
const COLON = ':'.charCodeAt(0);
const LENGTH_BYTES = 4;

export const isInTheClear = (stored: Buffer): boolean => stored[0] === BRACE;

/** What is to be stored for `value`. Throws `Unsealable`. */
export function sealText(value: Stampable, key: string, { prefix, writer }: SealRules): Stampable {
  if (writer.mark === '') return value;
  const head = Buffer.from(value.head);
  const length = Buffer.allocUnsafe(LENGTH_BYTES);
  length.writeUInt32BE(head.length);
  const sealed = writer.seal(Buffer.concat([length, head, Buffer.from(value.tail)]), key);
  return { head: `${prefix}${writer.mark}${sealed.toString('base64')}:`, tail: '' };
}

/** What was stored, taken apart. */
export interface SealedText {
  readonly reader: Provider;
  readonly sealed: Buffer;
  readonly revision: number;
}

/** Undefined for what is stored in the clear. Throws `Unsealable`. */
export function readSealed(stored: Buffer, { prefix, readers }: SealRules): SealedText | undefined {
  if (isInTheClear(stored)) {
    if (readers.some(({ mark }) => mark === '')) return undefined;
    throw new Unsealable('it is stored in the clear, which the configuration does not provide for');
  }
  const reader = readerOf(stored, prefix, readers);
  const end = stored.lastIndexOf(COLON);
  const start = prefix.length + reader.mark.length;
  return {
    reader,
    sealed: Buffer.from(stored.toString('latin1', start, end), 'base64'),
    revision: Number(stored.toString('latin1', end + 1)),
  };
}

/** What was sealed, before it is stamped with a revision. Throws `Unsealable`. */
export function openSealed({ reader, sealed }: SealedText, key: string): Stampable {
  const plain = reader.open(sealed, key);
  const tail = LENGTH_BYTES + (plain.length < LENGTH_BYTES ? 0 : plain.readUInt32BE(0));
  if (plain.length < LENGTH_BYTES || tail > plain.length) throw new Unsealable('it is not an object');
  return { head: plain.toString('utf8', LENGTH_BYTES, tail), tail: plain.toString('utf8', tail) };
}

/** With what something was sealed: by which provider, and with which of its keys where these follow each other. */
export const keyMark = ({ reader, sealed }: SealedText): string =>
  `${reader.mark}${reader.generationOf?.(sealed) ?? ''}`;

/** With what something would be sealed now. */
export const currentMark = ({ mark, generation = '' }: Provider): string => `${mark}${generation}`;

/** Marks are no longer than this. */
const LONGEST_MARK = 512;

function readerOf(stored: Buffer, prefix: string, readers: readonly Provider[]): Provider {
  const start = stored.toString('latin1', 0, LONGEST_MARK);
  const reader = readers.find(({ mark }) => mark !== '' && start.startsWith(`${prefix}${mark}`));
  if (reader) return reader;
  const [kind = '', , name = ''] = start.startsWith(prefix) ? start.slice(prefix.length).split(':') : [];
  throw new Unsealable(kind === '' ? 'it is in no known form' : `the configuration has no ${kind} key named "${name}"`);
}
