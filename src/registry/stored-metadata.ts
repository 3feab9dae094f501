/** What is before it in stored bytes, kind and apiVersion, cannot look like it. */
export const METADATA = '"metadata":{';
const OPEN_OBJECT = 123;

/**
 * Where a field of metadata begins in stored bytes, such as `"uid":"`, if it is in front of everything nested, as those
 * are that the server sets. No text looks like a field: quotes in it are escaped. -1: it is not there.
 */
export function plainFieldAt(bytes: Buffer, field: string): number {
  const at = fieldInHead(bytes, field);
  return at === undefined ? fieldInAll(bytes, field) : at;
}

/** What the server sets is mostly in front, where names are not very long: to look there as a text is quicker. */
const HEAD_BYTES = 512;

/** Undefined: it cannot be told by the first bytes. */
function fieldInHead(bytes: Buffer, field: string): number | undefined {
  const head = bytes.toString('latin1', 0, HEAD_BYTES);
  const metadata = head.indexOf(METADATA);
  if (metadata < 0) return undefined;
  const start = metadata + METADATA.length;
  const at = head.indexOf(field, start);
  if (at < 0) return undefined;
  const nested = head.indexOf('{', start);
  return nested < 0 || at < nested ? at : -1;
}

function fieldInAll(bytes: Buffer, field: string): number {
  const metadata = bytes.indexOf(METADATA, 0, 'latin1');
  if (metadata < 0) return -1;
  const start = metadata + METADATA.length;
  const at = bytes.indexOf(field, start, 'latin1');
  if (at < 0) return -1;
  const nested = bytes.indexOf(OPEN_OBJECT, start);
  return nested < 0 || at < nested ? at : -1;
}
