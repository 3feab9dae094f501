/** Shorter slices are copies. */
const SHORTEST_SLICE = 13;

/**
 * The same text in memory of its own. The engine makes a slice of a text by pointing into it, so that a name cut out of a
 * body of megabytes keeps all of the body. Whatever is cut out of something larger and kept goes through here.
 */
export function ownText(text: string): string {
  if (text.length < SHORTEST_SLICE) return text;
  const encoding = isLatin(text) ? 'latin1' : 'utf16le';
  return Buffer.from(text, encoding).toString(encoding);
}

function isLatin(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0xff) return false;
  return true;
}

/** The same bytes in memory of their own: small buffers are pieces of larger ones, which each of them keeps. */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
