/** What is before it in stored bytes, kind and apiVersion, cannot look like it. */
export const METADATA = '"metadata":{';
const OPEN_OBJECT = 123;

/**
 * Where a field of metadata begins in stored bytes, such as `"uid":"`, if it is in front of everything nested, as those
 * are that the server sets. No text looks like a field: quotes in it are escaped. -1: it is not there.
 */
export function plainFieldAt(bytes: Buffer, field: string): number {
  const metadata = bytes.indexOf(METADATA, 0, 'latin1');
  if (metadata < 0) return -1;
  const start = metadata + METADATA.length;
  const at = bytes.indexOf(field, start, 'latin1');
  if (at < 0) return -1;
  const nested = bytes.indexOf(OPEN_OBJECT, start);
  return nested < 0 || at < nested ? at : -1;
}
