import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { pemBlocks } from './pem-blocks.ts';

const BEGIN_CERTIFICATE = '-----BEGIN CERTIFICATE-----';
const END_CERTIFICATE = '-----END CERTIFICATE-----';

/** A new key for a certificate or for signing tokens: small and quick to make, understood by every client. */
export const newPrivateKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

/** The public half as SubjectPublicKeyInfo in DER; takes either half. */
export const publicKeyInfo = (key: KeyObject): Buffer =>
  (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'der', type: 'spki' });

export const privateKeyPem = (key: KeyObject): string => key.export({ format: 'pem', type: 'pkcs8' }).toString();

/** The public half as PEM; takes either half. */
export const publicKeyPem = (key: KeyObject): string => toPem('PUBLIC KEY', publicKeyInfo(key));

export const certificatePem = (der: Buffer): string => toPem('CERTIFICATE', der);

function toPem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

/**
 * Every certificate of a PEM bundle, in its order; blocks of other sorts and text between blocks are passed over.
 * Throws one line that starts with `source` when there is none or one is broken.
 */
export function readCertificates(pem: string, source = 'PEM bundle'): X509Certificate[] {
  const [, ...blocks] = pem.split(BEGIN_CERTIFICATE);
  if (blocks.length === 0) throw new Error(`${source}: holds no PEM certificate`);
  return blocks.map((block, index) => readCertificate(block, `${source}: certificate ${index + 1}`));
}

function readCertificate(block: string, source: string): X509Certificate {
  const end = block.indexOf(END_CERTIFICATE);
  if (end < 0) throw new Error(`${source} is cut short`);
  try {
    return new X509Certificate(BEGIN_CERTIFICATE + block.slice(0, end) + END_CERTIFICATE);
  } catch {
    throw new Error(`${source} is not a valid certificate`);
  }
}

/** An unencrypted PEM private key. Throws one line that starts with `source`. */
export function readPrivateKey(pem: string, source = 'PEM key'): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new Error(`${source}: holds no usable private key (unencrypted PEM expected)`);
  }
}

const KEY_LABEL = /^(?:[A-Z]+ )*(?:PUBLIC|PRIVATE) KEY$|^CERTIFICATE$/;

/** Every key of a PEM text: as `readPublicKey`, any number of them. Throws one line that starts with `source`. */
export function readPublicKeys(pem: string, source = 'PEM key'): KeyObject[] {
  const blocks = [...pemBlocks(pem)].filter(({ label }) => KEY_LABEL.test(label));
  if (blocks.length === 0) throw new Error(`${source}: holds no usable public key`);
  return blocks.map(({ text }) => readPublicKey(text, source));
}

/** A PEM public key, or the public half of a private one or of a certificate. Throws one line that starts with `source`. */
export function readPublicKey(pem: string, source = 'PEM key'): KeyObject {
  try {
    return createPublicKey(pem);
  } catch {
    throw new Error(`${source}: holds no usable public key`);
  }
}
