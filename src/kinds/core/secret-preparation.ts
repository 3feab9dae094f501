import type { Secret } from './secret.ts';

/** Plain text is a convenience for writers: it becomes data, over entries of the same name, and is never read back. */
export function mergeStringData(secret: Secret): void {
  const { stringData } = secret;
  if (stringData === undefined) return;
  const encoded = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  secret.data = { ...secret.data, ...Object.fromEntries(encoded) };
  delete secret.stringData;
}
