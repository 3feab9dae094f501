import { X509Certificate } from 'node:crypto';
import { isSignedByItsKey, readCertificateRequest } from '../../pki/certificate-request.ts';
import { pemBlocks } from '../../pki/pem-blocks.ts';

const MOST_CERTIFICATES = 100;

/** What is wrong with a certificate request in PEM; undefined when it is whole and signed with the key it is about. */
export function certificateRequest(pem: string): string | undefined {
  try {
    readCertificateRequest(pem);
    return isSignedByItsKey(pem) ? undefined : 'the signature does not match the key';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** What is wrong with a chain of certificates in PEM; undefined when there is nothing else in it. */
export function certificateChain(pem: string): string | undefined {
  const blocks = [...pemBlocks(pem)];
  if (blocks.length === 0) return 'must contain at least one CERTIFICATE PEM block';
  const other = blocks.find(({ label }) => label !== 'CERTIFICATE');
  if (other) return `only CERTIFICATE PEM blocks are allowed, found "${other.label}"`;
  if (blocks.some(({ hasHeaders }) => hasHeaders)) return 'no PEM block headers are permitted';
  if (blocks.length > MOST_CERTIFICATES) return `must contain at most ${MOST_CERTIFICATES} CERTIFICATE PEM blocks`;
  return blocks.every(({ text }) => isCertificate(text)) ? undefined : 'a CERTIFICATE PEM block holds no certificate';
}

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}
