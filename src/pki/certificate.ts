import { createHash, type KeyObject, sign, type X509Certificate } from 'node:crypto';
import type { Runtime } from '../runtime/runtime.ts';
import {
  bitString,
  boolean,
  contextTag,
  explicit,
  implicit,
  integer,
  octetString,
  oid,
  sequence,
  TAG,
  time,
} from './der.ts';
import { type Element, readConstructed, readElements, readTime } from './der-reader.ts';
import { type AlternativeNames, alternativeNamesValue } from './names.ts';
import { signatureAlgorithm } from './signature.ts';
import { extendedKeyUsageValue, keyUsageValue, type Usage } from './usages.ts';

/** From when to when a certificate holds, in milliseconds since the epoch. */
export interface Validity {
  readonly notBefore: number;
  readonly notAfter: number;
}

/** What a certificate is to say. */
export interface CertificateTemplate extends Validity {
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKey: Buffer;
  /** Name in DER: from `distinguishedName`, or as a certificate request has it. */
  readonly subject: Buffer;
  readonly usages: readonly Usage[];
  readonly alternativeNames?: AlternativeNames;
  /** May its key sign certificates? */
  readonly authority?: boolean;
}

/** Who signs: the name, key and end of life of a certificate authority. */
export interface Issuer {
  readonly subject: Buffer;
  readonly key: KeyObject;
  /** Absent when the authority's certificate carries none. */
  readonly keyIdentifier?: Buffer | undefined;
  readonly notAfter: number;
}

const EXTENSION = {
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAlternativeName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
} as const;

const CLOCK_SKEW = 5 * 60_000;

/** Valid for `lifetime` milliseconds from now, and from a little earlier for peers whose clock is behind. */
export const validFor = (runtime: Runtime, lifetime: number): Validity => ({
  notBefore: runtime.now() - CLOCK_SKEW,
  notAfter: runtime.now() + lifetime,
});

/** Signs a certificate (X.509 v3, DER). It never outlives its issuer. */
export function issueCertificate(runtime: Runtime, issuer: Issuer, template: CertificateTemplate): Buffer {
  const algorithm = signatureAlgorithm(issuer.key);
  const toBeSigned = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(newSerial(runtime)),
    algorithm.identifier,
    issuer.subject,
    sequence(time(template.notBefore), time(Math.min(template.notAfter, issuer.notAfter))),
    template.subject,
    template.publicKey,
    explicit(3, sequence(...extensions(issuer, template))),
  );
  return sequence(toBeSigned, algorithm.identifier, bitString(sign(algorithm.digest, toBeSigned, issuer.key)));
}

/** Signs a certificate with the very key that it is about. */
export const selfSign = (runtime: Runtime, key: KeyObject, template: CertificateTemplate): Buffer =>
  issueCertificate(
    runtime,
    {
      subject: template.subject,
      key,
      keyIdentifier: keyIdentifier(template.publicKey),
      notAfter: template.notAfter,
    },
    template,
  );

/** The issuer that an authority's certificate and its private key make together. */
export function issuerFrom(certificate: X509Certificate, key: KeyObject): Issuer {
  const fields = certificateFields(certificate.raw);
  return {
    subject: fields.subject,
    key,
    keyIdentifier: subjectKeyIdentifier(fields.extensions),
    notAfter: Date.parse(certificate.validTo),
  };
}

/** Sixteen bytes, positive, never zero. */
function newSerial(runtime: Runtime): Buffer {
  const serial = Buffer.from(runtime.bytes(16));
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  return serial;
}

function extensions(issuer: Issuer, template: CertificateTemplate): Buffer[] {
  const { usages, authority = false, alternativeNames = {} } = template;
  const ownIdentifier = octetString(keyIdentifier(template.publicKey));
  const issuerIdentifier = issuer.keyIdentifier && sequence(implicit(0, issuer.keyIdentifier));
  return [
    ...extension(EXTENSION.basicConstraints, true, authority ? sequence(boolean(true)) : sequence()),
    ...extension(EXTENSION.keyUsage, true, keyUsageValue(usages)),
    ...extension(EXTENSION.extendedKeyUsage, false, extendedKeyUsageValue(usages)),
    ...extension(EXTENSION.subjectKeyIdentifier, false, ownIdentifier),
    ...extension(EXTENSION.authorityKeyIdentifier, false, issuerIdentifier),
    // With an empty subject these names are all the identity there is, and no reader may skip them.
    ...extension(
      EXTENSION.subjectAlternativeName,
      template.subject.equals(sequence()),
      alternativeNamesValue(alternativeNames),
    ),
  ];
}

/** No extension at all when there is no value. A flag that is false is its default, which DER leaves out. */
const extension = (id: string, critical: boolean, value: Buffer | undefined): Buffer[] =>
  value === undefined ? [] : [sequence(oid(id), ...(critical ? [boolean(true)] : []), octetString(value))];

/** The first 160 bits of the SHA-256 of the bare key (RFC 7093, method 1). */
function keyIdentifier(publicKey: Buffer): Buffer {
  const [, bits] = readConstructed(publicKey, TAG.sequence);
  if (bits?.tag !== TAG.bitString) throw new Error('not a SubjectPublicKeyInfo');
  return createHash('sha256').update(bits.content.subarray(1)).digest().subarray(0, 20);
}

export interface CertificateFields {
  /** 1 for certificates of the first version, which have no extensions. */
  readonly version: number;
  readonly subject: Buffer;
  readonly extensions: readonly Element[];
}

/** What is signed: the version, which is left out in version 1, and the other parts. */
function signedParts(der: Buffer): { readonly tagged: Element | undefined; readonly fields: readonly Element[] } {
  const [toBeSigned] = readConstructed(der, TAG.sequence);
  const all = toBeSigned === undefined ? [] : readElements(toBeSigned.content);
  const tagged = all[0]?.tag === contextTag(0, true) ? all[0] : undefined;
  return { tagged, fields: tagged ? all.slice(1) : all };
}

/**
 * When a certificate in DER expires, in milliseconds since the epoch. Throws when it is none. `X509Certificate` would tell
 * as well, but reads all of it, which takes a hundred times longer.
 */
export function certificateEnd(der: Buffer): number {
  const validity = signedParts(der).fields[3];
  const [, end] = validity === undefined ? [] : readElements(validity.content);
  if (end === undefined) throw new Error('not a certificate');
  return readTime(end);
}

/** Version, subject and extensions of a certificate in DER. Throws when it is none. */
export function certificateFields(der: Buffer): CertificateFields {
  const { tagged, fields } = signedParts(der);
  const version = 1 + (tagged ? (readElements(tagged.content)[0]?.content.at(-1) ?? 0) : 0);
  const subject = fields[4];
  if (subject === undefined) throw new Error('not a certificate');
  const wrapped = fields.find(({ tag }) => tag === contextTag(3, true));
  return { version, subject: subject.whole, extensions: wrapped ? readConstructed(wrapped.content, TAG.sequence) : [] };
}

function subjectKeyIdentifier(extensions: readonly Element[]): Buffer | undefined {
  const id = oid(EXTENSION.subjectKeyIdentifier);
  const found = extensions.map(({ content }) => readElements(content)).find(([first]) => first?.whole.equals(id));
  const value = found?.at(-1);
  return value && readElements(value.content)[0]?.content;
}
