import { type KeyObject, sign, X509Certificate } from 'node:crypto';
import {
  type CertificateTemplate,
  type Issuer,
  issueCertificate,
  issuerFrom,
  selfSign,
  validFor,
} from '../../src/pki/certificate.ts';
import { bitString, explicit, integer, octetString, oid, sequence, set } from '../../src/pki/der.ts';
import { certificatePem, newPrivateKey, privateKeyPem, publicKeyInfo } from '../../src/pki/keys.ts';
import { type AlternativeNames, alternativeNamesValue, distinguishedName, type Subject } from '../../src/pki/names.ts';
import { authorityTemplate, clientTemplate, servingTemplate } from '../../src/pki/profiles.ts';
import { signatureAlgorithm } from '../../src/pki/signature.ts';
import { systemRuntime as runtime } from '../../src/runtime/runtime.ts';

const HOUR = 3_600_000;

/** What a client shows and the key it proves itself with, both PEM. */
export interface Identity {
  readonly clientCertificate: string;
  readonly clientKey: string;
}

/** A certificate authority for tests. */
export class TestAuthority {
  readonly pem: string;
  readonly keyPem: string;
  readonly #issuer: Issuer;

  constructor(name: string, parent?: TestAuthority, key: KeyObject = newPrivateKey(), lifetime = HOUR) {
    this.keyPem = privateKeyPem(key);
    const template = authorityTemplate(key, name, validFor(runtime, lifetime));
    const der = parent ? issueCertificate(runtime, parent.#issuer, template) : selfSign(runtime, key, template);
    this.pem = certificatePem(der);
    this.#issuer = issuerFrom(new X509Certificate(der), key);
  }

  /** A client's certificate and key. */
  client(subject: Subject, changes: Partial<CertificateTemplate> = {}): Identity {
    const key = newPrivateKey();
    const template = { ...clientTemplate(key, subject, validFor(runtime, HOUR)), ...changes };
    const der = issueCertificate(runtime, this.#issuer, template);
    return { clientCertificate: certificatePem(der), clientKey: privateKeyPem(key) };
  }

  /** What a server on this machine needs; under other names when they are given. */
  server(hosts: readonly string[] = ['127.0.0.1', 'localhost']): { cert: string; key: string } {
    const key = newPrivateKey();
    const template = servingTemplate(key, 'server', hosts, validFor(runtime, HOUR));
    return { cert: certificatePem(issueCertificate(runtime, this.#issuer, template)), key: privateKeyPem(key) };
  }
}

export interface RequestParts {
  readonly key?: KeyObject;
  /** A Name in DER, or what it says. */
  readonly subject?: Subject | Buffer;
  readonly names?: AlternativeNames;
  /** Values of further extensions, in DER, by object identifier. */
  readonly extensions?: Readonly<Record<string, Buffer>>;
}

const ALTERNATIVE_NAMES = '2.5.29.17';
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';

/** A certificate request (PKCS #10) in PEM. */
export function requestPem({ key = newPrivateKey(), subject, names = {}, extensions = {} }: RequestParts): string {
  const { identifier, digest } = signatureAlgorithm(key);
  const alternative = alternativeNamesValue(names);
  const wanted = { ...(alternative ? { [ALTERNATIVE_NAMES]: alternative } : {}), ...extensions };
  const list = Object.entries(wanted).map(([id, value]) => sequence(oid(id), octetString(value)));
  const body = sequence(
    integer(Buffer.of(0)),
    Buffer.isBuffer(subject) ? subject : distinguishedName(subject ?? { commonName: 'someone' }),
    publicKeyInfo(key),
    explicit(0, ...(list.length === 0 ? [] : [sequence(oid(EXTENSION_REQUEST), set(sequence(...list)))])),
  );
  const der = sequence(body, identifier, bitString(sign(digest, body, key)));
  return certificatePem(der).replaceAll('CERTIFICATE', 'CERTIFICATE REQUEST');
}

/** A certificate request, as objects carry it. */
export const certificateRequest = (
  commonName: string,
  organizations: readonly string[] = [],
  key: KeyObject = newPrivateKey(),
): string => Buffer.from(requestPem({ key, subject: { commonName, organizations } })).toString('base64');
