/** What is longer is seldom the same twice. */
const LONGEST = 32;
const SLOTS = 4096;

/** One text for each slot, whichever was read last: bounded, and nothing to look after. */
const texts: string[] = new Array(SLOTS).fill('');

/**
 * UTF-8 as text. Objects are full of short texts that recur (`v1`, `True`, names of conditions and labels), and to
 * recognise one is several times quicker than to make it anew.
 */
export function textOf(bytes: Buffer, start: number, end: number): string {
  if (end - start > LONGEST) return bytes.toString('utf8', start, end);
  const slot = slotOf(bytes, start, end);
  const known = texts[slot] ?? '';
  if (isAscii(known, bytes, start, end)) return known;
  const text = bytes.toString('utf8', start, end);
  texts[slot] = text;
  return text;
}

function slotOf(bytes: Buffer, start: number, end: number): number {
  let hash = end - start;
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + (bytes[at] ?? 0)) | 0;
  return (hash ^ (hash >>> 12)) & (SLOTS - 1);
}

/** Whether the bytes are this text; of text beyond ASCII always false. */
function isAscii(text: string, bytes: Buffer, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte > 0x7f || text.charCodeAt(at - start) !== byte) return false;
  }
  return true;
}
