const KIND = '{"kind":"';
const API_VERSION = '","apiVersion":"';
const QUOTE = '"'.charCodeAt(0);

/**
 * The apiVersion that stored bytes say they are of, without parsing them: canonical objects begin with their kind and
 * apiVersion, and neither has a character that JSON would write otherwise.
 */
export function storedApiVersion(bytes: Buffer): string {
  const kindEnd = bytes.indexOf(QUOTE, KIND.length);
  const start = kindEnd + API_VERSION.length;
  const end = bytes.indexOf(QUOTE, start);
  const isCanonical =
    bytes.toString('latin1', 0, KIND.length) === KIND &&
    bytes.toString('latin1', kindEnd, start) === API_VERSION &&
    end > start;
  if (!isCanonical) throw new Error('stored bytes do not begin with a kind and an apiVersion');
  return bytes.toString('latin1', start, end);
}
