/** Writes DER (X.690), the byte form of certificates. Each function returns one complete element. */

/** Tag bytes of the types that certificates are made of. */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  sequence: 0x30,
  set: 0x31,
  printableString: 0x13,
  teletexString: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  bmpString: 0x1e,
} as const;

/** Tag byte of the context-specific type `[number]`: constructed when it wraps elements, else primitive. */
export const contextTag = (number: number, constructed: boolean): number => (constructed ? 0xa0 : 0x80) | number;

/** Any element: tag, shortest length form, content. */
export const element = (tag: number, ...content: readonly Buffer[]): Buffer => {
  const length = content.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(length)]), ...content]);
};

function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}

export const sequence = (...parts: readonly Buffer[]): Buffer => element(TAG.sequence, ...parts);

/** DER orders the members of a set by their bytes. */
export const set = (...parts: readonly Buffer[]): Buffer => element(TAG.set, ...parts.toSorted(Buffer.compare));

/** `[number]` around whole elements. */
export const explicit = (number: number, ...parts: readonly Buffer[]): Buffer =>
  element(contextTag(number, true), ...parts);

/** `[number]` in place of a primitive type's own tag. */
export const implicit = (number: number, content: Buffer): Buffer => element(contextTag(number, false), content);

export const boolean = (value: boolean): Buffer => element(TAG.boolean, Buffer.from([value ? 0xff : 0]));

export const nothing = (): Buffer => element(TAG.null);

/** A non-negative integer from its big-endian magnitude; leading zeros are dropped, the sign stays positive. */
export function integer(magnitude: Buffer): Buffer {
  const first = magnitude.findIndex((byte) => byte !== 0);
  const digits = first < 0 ? Buffer.alloc(1) : magnitude.subarray(first);
  return (digits[0] ?? 0) < 0x80 ? element(TAG.integer, digits) : element(TAG.integer, Buffer.alloc(1), digits);
}

export const octetString = (content: Buffer): Buffer => element(TAG.octetString, content);

/** A bit string of whole bytes. */
export const bitString = (content: Buffer): Buffer => element(TAG.bitString, Buffer.alloc(1), content);

/** A bit string with the numbered bits set (0 is the leftmost) and, as DER wants, no trailing zero bits. */
export function namedBits(bits: readonly number[]): Buffer {
  if (bits.length === 0) return bitString(Buffer.alloc(0));
  const last = Math.max(...bits);
  const bytes = Buffer.alloc(1 + (last >> 3) + 1);
  bytes[0] = 7 - (last & 7);
  for (const bit of bits) {
    const index = 1 + (bit >> 3);
    bytes[index] = (bytes[index] ?? 0) | (0x80 >> (bit & 7));
  }
  return element(TAG.bitString, bytes);
}

/** An object identifier from its dotted form. */
export function oid(dotted: string): Buffer {
  const [root = 0, second = 0, ...arcs] = dotted.split('.').map(Number);
  return element(TAG.oid, Buffer.from([root * 40 + second, ...arcs].flatMap(base128)));
}

/** Groups of seven bits, the high bit set on all but the last. */
function base128(arc: number): number[] {
  const bytes = [arc % 128];
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift(0x80 | (rest % 128));
  return bytes;
}

export const utf8String = (text: string): Buffer => element(TAG.utf8String, Buffer.from(text, 'utf8'));

/** The ASCII bytes of `text`. Throws when it holds anything else. */
export function ascii(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.some((byte) => byte > 0x7f)) throw new Error(`"${text}" holds characters outside ASCII`);
  return bytes;
}

/** A moment to the second, rounded down. Certificates must use the two-digit year through 2049, the long form after. */
export function time(milliseconds: number): Buffer {
  const digits = `${new Date(milliseconds).toISOString().slice(0, 19).replace(/[-T:]/g, '')}Z`;
  const short = digits >= '1950' && digits < '2050';
  return short ? element(TAG.utcTime, Buffer.from(digits.slice(2))) : element(TAG.generalizedTime, Buffer.from(digits));
}
