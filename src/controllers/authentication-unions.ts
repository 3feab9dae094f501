import { X509Certificate } from 'node:crypto';
import { pemBlocks } from '../pki/pem-blocks.ts';

/** Every certificate of the bundles once, in their order, without those that have expired or cannot be read. */
export function unionOfPem(bundles: readonly string[], now: number): string {
  const certificates = bundles
    .flatMap((bundle) => [...pemBlocks(bundle)])
    .filter(({ label }) => label === 'CERTIFICATE');
  return [...new Set(certificates.flatMap(({ text }) => normalised(text, now)))].join('');
}

function normalised(pem: string, now: number): string[] {
  try {
    const certificate = new X509Certificate(pem);
    return Date.parse(certificate.validTo) < now ? [] : [certificate.toString()];
  } catch {
    // What someone else wrote may be anything.
    return [];
  }
}

/** Every text of the lists once, in their order, as JSON. What is no list of texts counts for nothing. */
export const unionOfLists = (lists: readonly string[]): string => JSON.stringify([...new Set(lists.flatMap(textsIn))]);

/** The texts of a list in JSON. What is no list of texts counts for nothing. */
export function textsIn(json: string): string[] {
  try {
    const list: unknown = JSON.parse(json);
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}
