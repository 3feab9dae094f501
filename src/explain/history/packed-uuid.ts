/** Ids of requests are random UUIDs unless clients bring their own: in bytes they take less than half of the room. */
export const UUID_BYTES = 16;

const LENGTH = 36;
const DASH = 45;

/** Writes a UUID in its usual spelling as bytes; false for any other text, and then what was written is of no use. */
export function packUuid(text: string, into: Uint8Array, at: number): boolean {
  if (text.length !== LENGTH) return false;
  let to = at;
  for (let from = 0; from < LENGTH; ) {
    if (from === 8 || from === 13 || from === 18 || from === 23) {
      if (text.charCodeAt(from++) !== DASH) return false;
      continue;
    }
    const high = digitOf(text.charCodeAt(from++));
    const low = digitOf(text.charCodeAt(from++));
    if (high < 0 || low < 0) return false;
    into[to++] = (high << 4) | low;
  }
  return true;
}

/** The value of a digit of 16 in lower case; -1 for anything else. */
function digitOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  return code >= 97 && code <= 102 ? code - 87 : -1;
}

/** '' where nothing was written. */
export function unpackUuid(from: Uint8Array, at: number): string {
  const bytes = from.subarray(at, at + UUID_BYTES);
  if (bytes.every((byte) => byte === 0)) return '';
  const hex = Buffer.from(bytes).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
