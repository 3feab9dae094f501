import { createPublicKey, type KeyObject, verify, X509Certificate } from 'node:crypto';
import { TAG } from '../../pki/der.ts';
import { type Element, readConstructed, readElements } from '../../pki/der-reader.ts';
import { type PemBlock, pemBlocks } from '../../pki/pem-blocks.ts';

/** Far above any request or chain that is used; to look into longer ones takes long. */
const LONGEST_REQUEST = 128 * 1024;
const TOO_LONG = `must have at most ${LONGEST_REQUEST} bytes of PEM`;
const MOST_CERTIFICATES = 100;
const REQUEST = 'CERTIFICATE REQUEST';
const ORGANIZATION = Buffer.from('55040a', 'hex');

/** Digests of the signature algorithms that a request may use, by object identifier in DER; null where there is none. */
const DIGESTS: ReadonlyMap<string, string | null> = new Map([
  ['2a864886f70d01010b', 'sha256'],
  ['2a864886f70d01010c', 'sha384'],
  ['2a864886f70d01010d', 'sha512'],
  ['2a8648ce3d040302', 'sha256'],
  ['2a8648ce3d040303', 'sha384'],
  ['2a8648ce3d040304', 'sha512'],
  ['2b6570', null],
]);

/** What is wrong with a certificate request in PEM; undefined when it is whole and signed with the key it is about. */
export function certificateRequest(pem: string): string | undefined {
  if (pem.length > LONGEST_REQUEST) return TOO_LONG;
  const block = firstBlock(pem);
  if (block?.label !== REQUEST) return `PEM block type must be ${REQUEST}`;
  try {
    return isSelfSigned(Buffer.from(block.body, 'base64')) ? undefined : 'the signature does not match the key';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const firstBlock = (pem: string): PemBlock | undefined => pemBlocks(pem).next().value ?? undefined;

/** The organizations that a request in PEM names in its subject. Throws when it is no request. */
export function organizationsOf(pem: string): string[] {
  if (pem.length > LONGEST_REQUEST) throw new Error(TOO_LONG);
  const body = firstBlock(pem)?.body ?? '';
  const [info] = readConstructed(Buffer.from(body, 'base64'), TAG.sequence);
  const [, subject] = readElements(info?.content ?? Buffer.alloc(0));
  // A name is a list of sets of pairs.
  const pairs = readElements(subject?.content ?? Buffer.alloc(0)).flatMap(({ content }) => readElements(content));
  return pairs.flatMap(({ content }) => {
    const [type, value] = readElements(content);
    return value && type?.content.equals(ORGANIZATION) ? textOf(value) : [];
  });
}

/** How the string types that a name can use are read, by tag. */
const ENCODINGS: ReadonlyMap<number, (content: Buffer) => string> = new Map([
  [TAG.utf8String, (content) => content.toString('utf8')],
  [TAG.printableString, (content) => content.toString('latin1')],
  [TAG.teletexString, (content) => content.toString('latin1')],
  [TAG.ia5String, (content) => content.toString('latin1')],
  [TAG.bmpString, (content) => Buffer.from(content).swap16().toString('utf16le')],
]);

/** A type that is not known must not pass for a name that is harmless. */
function textOf({ tag, content }: Element): string {
  const read = ENCODINGS.get(tag);
  if (!read) throw new Error(`a name is written in a way that is not known: ${tag}`);
  return read(content);
}

function isSelfSigned(der: Buffer): boolean {
  const [info, algorithm, signature] = readConstructed(der, TAG.sequence);
  if (!info || !algorithm || !signature) throw new Error('not a certificate request: parts are missing');
  const [identifier] = readElements(algorithm.content);
  const digest = DIGESTS.get(identifier?.content.toString('hex') ?? '');
  if (digest === undefined) throw new Error('the signature algorithm is not supported');
  // The first byte of a bit string counts its unused bits.
  return verify(digest, info.whole, publicKeyOf(info.content), signature.content.subarray(1));
}

/** The third part of what is signed: version, subject, key, attributes. */
function publicKeyOf(info: Buffer): KeyObject {
  const [, , key] = readElements(info);
  if (!key) throw new Error('not a certificate request: there is no key');
  return createPublicKey({ key: key.whole, format: 'der', type: 'spki' });
}

/** What is wrong with a chain of certificates in PEM; undefined when there is nothing else in it. */
export function certificateChain(pem: string): string | undefined {
  const blocks = [...pemBlocks(pem)];
  if (blocks.length === 0) return 'must contain at least one CERTIFICATE PEM block';
  const other = blocks.find(({ label }) => label !== 'CERTIFICATE');
  if (other) return `only CERTIFICATE PEM blocks are allowed, found "${other.label}"`;
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
