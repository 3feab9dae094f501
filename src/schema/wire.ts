/** How the bytes of a field are delimited: the low three bits of its tag. */
export const VARINT = 0;
export const FIXED64 = 1;
export const DELIMITED = 2;
export const GROUP_START = 3;
export const GROUP_END = 4;
export const FIXED32 = 5;

/** The delimitations that declared fields use. */
export type WireType = typeof VARINT | typeof FIXED64 | typeof DELIMITED;

export const tagOf = (number: number, wireType: WireType): number => ((number << 3) | wireType) >>> 0;

/** Bytes that are not the message they should be: the only error that reading them throws. */
export class WireError extends Error {
  override readonly name = 'WireError';
}
