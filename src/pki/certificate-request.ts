import { createPublicKey, verify } from 'node:crypto';
import { contextTag, oid, sequence, TAG } from './der.ts';
import { type Element, readConstructed, readElements } from './der-reader.ts';
import { type Extension, readExtension } from './extensions.ts';
import { type AlternativeNames, attribute, COMMON_NAME, ORGANIZATION, readAlternativeNames } from './names.ts';
import { pemBlocks } from './pem-blocks.ts';

/** Far above any request that is used; to look into longer ones takes long. */
const LONGEST_REQUEST = 128 * 1024;
const MOST_NAMES = 1000;
/** As many bits as TLS stacks take. To verify a signature by a larger key takes long. */
const LARGEST_RSA_KEY = 8192;

const LABEL = 'CERTIFICATE REQUEST';
const SERIAL_NUMBER = '2.5.4.5';

/** What is kept of a subject, in the order in which certificates have it: country, organization, unit, and so on. */
const ATTRIBUTES = [
  '2.5.4.6',
  ORGANIZATION,
  '2.5.4.11',
  '2.5.4.7',
  '2.5.4.8',
  '2.5.4.9',
  '2.5.4.17',
  COMMON_NAME,
  SERIAL_NUMBER,
];
/** Of these a subject has one: the last. */
const SINGLE = [COMMON_NAME, SERIAL_NUMBER];
const TYPES: ReadonlyMap<string, string> = new Map(ATTRIBUTES.map((type) => [oid(type).toString('hex'), type]));

const EXTENSION_REQUEST = oid('1.2.840.113549.1.9.14');
const ALTERNATIVE_NAMES = oid('2.5.29.17').toString('hex');

/** Digests of the signature algorithms that a request may use, by object identifier; null where there is none. */
const DIGESTS: ReadonlyMap<string, string | null> = new Map(
  (
    [
      ['1.2.840.113549.1.1.11', 'sha256'],
      ['1.2.840.113549.1.1.12', 'sha384'],
      ['1.2.840.113549.1.1.13', 'sha512'],
      ['1.2.840.10045.4.3.2', 'sha256'],
      ['1.2.840.10045.4.3.3', 'sha384'],
      ['1.2.840.10045.4.3.4', 'sha512'],
      ['1.3.101.112', null],
    ] as const
  ).map(([id, digest]) => [oid(id).toString('hex'), digest]),
);

/** What a certificate request (PKCS #10) asks for. */
export interface CertificateRequest {
  /** '' when there is none. Of several the last counts. */
  readonly commonName: string;
  readonly organizations: readonly string[];
  /**
   * The subject as a Name in DER, written anew: it holds what was understood of the one in the request and nothing else,
   * so that whoever reads a certificate with it finds what the rules of its signer were held against.
   */
  readonly subject: Buffer;
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKey: Buffer;
  readonly alternativeNames: Required<AlternativeNames>;
}

/** Reads a request in PEM. Throws what is wrong with it; whether its signature is right is another question. */
export function readCertificateRequest(pem: string): CertificateRequest {
  const [info] = partsOf(pem);
  const [, subject, publicKey, attributes] = readElements(info.content);
  if (subject?.tag !== TAG.sequence || publicKey?.tag !== TAG.sequence) throw incomplete();
  const names = subjectAttributes(subject);
  const alternativeNames = alternativeNamesIn(extensionsIn(attributes));
  const count = names.length + Object.values(alternativeNames).flat().length;
  if (count > MOST_NAMES) throw new Error(`must have at most ${MOST_NAMES} names, but has ${count}`);
  const of = (wanted: string): string[] => names.flatMap(({ type, text }) => (type === wanted ? text : []));
  return {
    commonName: of(COMMON_NAME).at(-1) ?? '',
    organizations: of(ORGANIZATION),
    subject: sequence(...ATTRIBUTES.flatMap((type) => written(type, of(type)))),
    publicKey: publicKey.whole,
    alternativeNames,
  };
}

const written = (type: string, texts: readonly string[]): Buffer[] =>
  (SINGLE.includes(type) ? texts.slice(-1) : texts).filter((text) => text !== '').map((text) => attribute(type, text));

/** Whether whoever made a request has the key that it is about. Throws when that cannot be found out. */
export function isSignedByItsKey(pem: string): boolean {
  const [info, algorithm, signature] = partsOf(pem);
  const [identifier] = readElements(algorithm.content);
  const digest = DIGESTS.get(identifier?.whole.toString('hex') ?? '');
  if (digest === undefined) throw new Error('the signature algorithm is not supported');
  const [, , publicKey] = readElements(info.content);
  if (!publicKey) throw incomplete();
  const key = createPublicKey({ key: publicKey.whole, format: 'der', type: 'spki' });
  if ((key.asymmetricKeyDetails?.modulusLength ?? 0) > LARGEST_RSA_KEY) {
    throw new Error(`must be about a key of at most ${LARGEST_RSA_KEY} bits`);
  }
  // The first byte of a bit string counts its unused bits.
  return verify(digest, info.whole, key, signature.content.subarray(1));
}

/** What is signed, how, and the signature. */
function partsOf(pem: string): readonly [Element, Element, Element] {
  if (pem.length > LONGEST_REQUEST) throw new Error(`must have at most ${LONGEST_REQUEST} bytes of PEM`);
  const block = pemBlocks(pem).next().value;
  if (block?.label !== LABEL) throw new Error(`PEM block type must be ${LABEL}`);
  const [info, algorithm, signature] = readConstructed(Buffer.from(block.body, 'base64'), TAG.sequence);
  if (info?.tag !== TAG.sequence || algorithm?.tag !== TAG.sequence || signature?.tag !== TAG.bitString) {
    throw incomplete();
  }
  return [info, algorithm, signature];
}

const incomplete = (): Error => new Error('not a certificate request: parts are missing');

interface SubjectAttribute {
  readonly type: string;
  readonly text: string;
}

/** A name is a list of sets of pairs. Attributes of other types are left out. */
function subjectAttributes({ content }: Element): SubjectAttribute[] {
  const pairs = readElements(content).flatMap((level) => readElements(level.content));
  return pairs.flatMap((pair) => {
    const [id, value] = readElements(pair.content);
    const type = TYPES.get(id?.whole.toString('hex') ?? '');
    return type && value ? [{ type, text: textOf(value) }] : [];
  });
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** How the string types that a name can use are read, by tag. */
const ENCODINGS: ReadonlyMap<number, (content: Buffer) => string> = new Map([
  [TAG.utf8String, (content) => UTF8.decode(content)],
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

/** The extensions that a request asks for: `[0] { SEQUENCE { type, SET { SEQUENCE OF Extension } } }` */
function extensionsIn(attributes: Element | undefined): Extension[] {
  if (attributes?.tag !== contextTag(0, true)) return [];
  const extensions = readElements(attributes.content).flatMap(({ content }) => {
    const [type, values] = readElements(content);
    if (!values || !type?.whole.equals(EXTENSION_REQUEST)) return [];
    return readConstructed(values.content, TAG.sequence).map(readExtension);
  });
  if (new Set(extensions.map(({ id }) => id)).size < extensions.length) {
    throw new Error('an extension is asked for twice');
  }
  return extensions;
}

function alternativeNamesIn(extensions: readonly Extension[]): Required<AlternativeNames> {
  const found = extensions.find(({ id }) => id === ALTERNATIVE_NAMES);
  return found ? readAlternativeNames(found.value) : { dns: [], ip: [], email: [], uri: [] };
}
