/** The format of tar (POSIX ustar), with the extensions for long names and links of both POSIX and GNU. */

export const BLOCK = 512;

export type EntryType = 'file' | 'directory' | 'symlink' | 'link' | 'other';

export interface TarEntry {
  readonly name: string;
  readonly type: EntryType;
  /** Permissions. */
  readonly mode: number;
  readonly size: number;
  /** Where a link leads. */
  readonly target: string;
  /** Seconds since the epoch. */
  readonly modified: number;
}

const TYPES: Readonly<Record<string, EntryType>> = {
  '0': 'file',
  '\0': 'file',
  '7': 'file',
  '1': 'link',
  '2': 'symlink',
  '5': 'directory',
};
const LETTERS: Readonly<Record<EntryType, string>> = { file: '0', link: '1', symlink: '2', directory: '5', other: '0' };

const [NAME_LENGTH, LARGEST_OCTAL] = [100, 8 ** 11 - 1];
const CHECKSUM_AT = 148;

export const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

/** The blocks that stand before the contents of an entry. */
export function headerOf(entry: TarEntry): Buffer {
  const { name, target, size } = entry;
  const extended = [
    ...(Buffer.byteLength(name) > NAME_LENGTH ? [record('path', name)] : []),
    ...(Buffer.byteLength(target) > NAME_LENGTH ? [record('linkpath', target)] : []),
    ...(size > LARGEST_OCTAL ? [record('size', String(size))] : []),
  ];
  const header = block({ ...entry, size: Math.min(size, LARGEST_OCTAL) }, LETTERS[entry.type]);
  if (extended.length === 0) return header;
  const text = Buffer.from(extended.join(''));
  const before = block({ ...entry, name: 'PaxHeaders/extended', target: '', size: text.length }, 'x');
  return Buffer.concat([before, text, Buffer.alloc(padding(text.length)), header]);
}

/** `12 path=name` and a newline; the number is the length of all of it. */
function record(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  if (String(length).length > String(rest).length) length = rest + String(length).length;
  return `${length} ${key}=${value}\n`;
}

function block({ name, mode, size, target, modified }: TarEntry, letter: string): Buffer {
  const bytes = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, digits: number): void => {
    bytes.write(Math.max(0, Math.floor(value)).toString(8).padStart(digits, '0').slice(-digits), at, 'latin1');
  };
  Buffer.from(name).copy(bytes, 0, 0, NAME_LENGTH);
  octal(mode & 0o7777, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(size, 124, 11);
  octal(modified, 136, 11);
  bytes.fill(' ', CHECKSUM_AT, CHECKSUM_AT + 8);
  bytes.write(letter, 156, 'latin1');
  Buffer.from(target).copy(bytes, 157, 0, NAME_LENGTH);
  bytes.write('ustar\u000000', 257, 'latin1');
  octal(checksum(bytes), CHECKSUM_AT, 6);
  bytes[CHECKSUM_AT + 6] = 0;
  return bytes;
}

const checksum = (bytes: Buffer): number => bytes.reduce((sum, byte) => sum + byte, 0);

export interface RawHeader extends TarEntry {
  /** As it stands in the header; tells extensions. */
  readonly letter: string;
}

/** Reads a block; undefined where it is empty, which is the end. Throws where it is no header. */
export function readHeader(bytes: Buffer): RawHeader | undefined {
  if (bytes.every((byte) => byte === 0)) return undefined;
  const told = number(bytes, CHECKSUM_AT, 8);
  const blank = Buffer.from(bytes).fill(' ', CHECKSUM_AT, CHECKSUM_AT + 8);
  if (told !== checksum(blank)) throw new Error('tar contents corrupted');
  const letter = String.fromCharCode(bytes[156] ?? 0);
  const isPosix = bytes.toString('latin1', 257, 263) === 'ustar\0';
  const prefix = isPosix ? text(bytes, 345, 155) : '';
  const name = text(bytes, 0, NAME_LENGTH);
  return {
    letter,
    name: prefix === '' ? name : `${prefix}/${name}`,
    type: TYPES[letter] ?? 'other',
    mode: number(bytes, 100, 8) & 0o7777,
    size: number(bytes, 124, 12),
    modified: number(bytes, 136, 12),
    target: text(bytes, 157, NAME_LENGTH),
  };
}

function text(bytes: Buffer, at: number, length: number): string {
  const field = bytes.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? length : end);
}

/** Octal digits, or from GNU, where the first bit is set, a binary number. */
function number(bytes: Buffer, at: number, length: number): number {
  if ((bytes[at] ?? 0) & 0x80) return Number(bytes.readBigUInt64BE(at + length - 8) & 0x7fff_ffff_ffff_ffffn);
  const digits = text(bytes, at, length).trim();
  if (digits !== '' && !/^[0-7]+$/.test(digits)) throw new Error('tar contents corrupted');
  return digits === '' ? 0 : Number.parseInt(digits, 8);
}

/** What an extended header of POSIX says. */
export function readRecords(bytes: Buffer): ReadonlyMap<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(' ', at);
    const length = space < 0 ? Number.NaN : Number(bytes.toString('latin1', at, space));
    const end = at + length;
    if (!(Number.isInteger(length) && end <= bytes.length && end > space)) throw new Error('tar contents corrupted');
    const equals = bytes.indexOf('=', space);
    if (equals < 0 || equals >= end) throw new Error('tar contents corrupted');
    records.set(bytes.toString('utf8', space + 1, equals), bytes.toString('utf8', equals + 1, end - 1));
    at = end;
  }
  return records;
}
