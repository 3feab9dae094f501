import type { KeyObject, X509Certificate } from 'node:crypto';
import type { Runtime } from '../runtime/runtime.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import {
  type CertificateTemplate,
  type Issuer,
  issueCertificate,
  issuerFrom,
  selfSign,
  validFor,
} from './certificate.ts';
import {
  certificatePem,
  newPrivateKey,
  privateKeyPem,
  publicKeyPem,
  readCertificates,
  readPrivateKey,
  readPublicKey,
} from './keys.ts';
import { addressBytes, namesOfHosts } from './names.ts';
import { directoryFiles, memoryFiles, type PemFiles } from './pem-files.ts';
import { authorityTemplate, clientTemplate, servingTemplate } from './profiles.ts';
import { adoptAuthority, type SharedAuthority } from './shared-authority.ts';

const DAY = 24 * 60 * 60_000;
const AUTHORITY_LIFETIME = 3650 * DAY;
const LEAF_LIFETIME = 365 * DAY;
const RENEW_BEFORE = 30 * DAY;

const ADMIN_ORGANIZATIONS = ['system:masters'];

const LOOPBACK = ['localhost', '127.0.0.1', '::1'];

export interface PkiOptions {
  readonly runtime: Runtime;
  /** Whom the certificates name. An authority that is there keeps its name. */
  readonly names: Vocabulary['certificateNames'];
  /** Names and addresses the server is reached by; the loopback ones are added, wildcard addresses are left out. */
  readonly hosts: readonly string[];
  /** DNS names of the service that stands for the API server inside the platform. */
  readonly serviceHosts: readonly string[];
  /** The address of that service; 10.0.0.1 unless told. */
  readonly serviceAddress?: string;
  /** What is used where it is missing, and must be what is there. */
  readonly authority?: SharedAuthority | undefined;
}

/** A certificate and its private key, PEM. */
export interface CertifiedKey {
  readonly certificate: string;
  readonly key: string;
}

/** A key for signing service account tokens (ES256), PEM. */
export interface SigningKey {
  readonly privateKey: string;
  readonly publicKey: string;
}

/** Everything a server needs to be trusted and to tell who is asking. */
export interface Pki {
  readonly ca: CertifiedKey;
  readonly serving: CertifiedKey;
  readonly admin: CertifiedKey;
  readonly serviceAccountKey: SigningKey;
}

/**
 * The certificates and keys in `directory`. What is missing is made; serving and admin certificates that end within
 * 30 days, or no longer cover the hosts or name the administrator, are issued anew for the same key. Throws one line naming the file at fault.
 */
export const ensurePki = (directory: string, options: PkiOptions): Pki => ensure(directoryFiles(directory), options);

/** The same, for this process alone: nothing is written. */
export const inMemoryPki = (options: PkiOptions): Pki => ensure(memoryFiles(), options);

function ensure(files: PemFiles, options: PkiOptions): Pki {
  const { runtime, names } = options;
  if (options.authority) adoptAuthority(files, options.authority);
  const authority = ensureAuthority(files, runtime, names.authority);
  const hosts = servingHosts(options);
  const leafValidity = validFor(runtime, LEAF_LIFETIME);
  const pki = {
    ca: authority.pem,
    serving: ensureLeaf(files, runtime, authority, {
      name: 'apiserver',
      covers: (certificate) => coversHosts(certificate, hosts),
      template: (key) => servingTemplate(key, names.serving, hosts, leafValidity),
    }),
    admin: ensureLeaf(files, runtime, authority, {
      name: 'admin',
      covers: ({ subject }) => subject.split('\n').includes(`CN=${names.administrator}`),
      template: (key) =>
        clientTemplate(key, { commonName: names.administrator, organizations: ADMIN_ORGANIZATIONS }, leafValidity),
    }),
    serviceAccountKey: ensureSigningKey(files),
  };
  files.settle();
  return pki;
}

const servingHosts = ({ hosts, serviceHosts, serviceAddress = '10.0.0.1' }: PkiOptions): readonly string[] => [
  ...LOOPBACK,
  ...hosts.filter((host) => host !== '' && !isWildcard(host)),
  ...serviceHosts,
  serviceAddress,
];

const isWildcard = (host: string): boolean =>
  namesOfHosts([host]).ip.some((address) => addressBytes(address).every((byte) => byte === 0));

function coversHosts(certificate: X509Certificate, hosts: readonly string[]): boolean {
  const { dns, ip } = namesOfHosts(hosts);
  return (
    dns.every((name) => certificate.checkHost(name) !== undefined) &&
    ip.every((address) => certificate.checkIP(address) !== undefined)
  );
}

interface Authority {
  readonly certificate: X509Certificate;
  readonly issuer: Issuer;
  readonly pem: CertifiedKey;
}

function ensureAuthority(files: PemFiles, runtime: Runtime, name: string): Authority {
  const { key, keyPem } = ensureKey(files, 'ca.key', 'ca.crt');
  const pem = files.read('ca.crt') ?? createAuthority(files, runtime, key, name);
  const certificate = firstCertificate(files, 'ca.crt', pem, key);
  if (!certificate.ca) throw fault(files, 'ca.crt', 'is not the certificate of an authority');
  if (!isCurrent(certificate, runtime.now())) {
    throw fault(files, 'ca.crt', `holds only from ${certificate.validFrom} to ${certificate.validTo}`);
  }
  return { certificate, issuer: issuerFrom(certificate, key), pem: { certificate: pem, key: keyPem } };
}

function createAuthority(files: PemFiles, runtime: Runtime, key: KeyObject, name: string): string {
  const template = authorityTemplate(key, name, validFor(runtime, AUTHORITY_LIFETIME));
  const pem = certificatePem(selfSign(runtime, key, template));
  files.write('ca.crt', pem);
  return pem;
}

interface Leaf {
  readonly name: string;
  readonly covers: (certificate: X509Certificate) => boolean;
  readonly template: (key: KeyObject) => CertificateTemplate;
}

function ensureLeaf(files: PemFiles, runtime: Runtime, authority: Authority, leaf: Leaf): CertifiedKey {
  const file = `${leaf.name}.crt`;
  const { key, keyPem } = ensureKey(files, `${leaf.name}.key`, file);
  const present = files.read(file);
  if (present !== undefined) {
    const certificate = firstCertificate(files, file, present, key);
    if (!isIssuedBy(certificate, authority.certificate)) {
      throw fault(files, file, 'was not issued by ca.crt; delete it to have it made anew');
    }
    const current = isCurrent(certificate, runtime.now()) && isCurrent(certificate, runtime.now() + RENEW_BEFORE);
    if (current && leaf.covers(certificate)) return { certificate: present, key: keyPem };
  }
  const pem = certificatePem(issueCertificate(runtime, authority.issuer, leaf.template(key)));
  files.write(file, pem);
  return { certificate: pem, key: keyPem };
}

function ensureSigningKey(files: PemFiles): SigningKey {
  const { key, keyPem } = ensureKey(files, 'sa.key', 'sa.pub');
  const publicKey = publicKeyPem(key);
  const present = files.read('sa.pub');
  if (present === undefined) files.write('sa.pub', publicKey);
  else if (publicKeyPem(readPublicKey(present, files.locate('sa.pub'))) !== publicKey) {
    throw fault(files, 'sa.pub', 'does not belong to sa.key');
  }
  return { privateKey: keyPem, publicKey };
}

interface StoredKey {
  readonly key: KeyObject;
  readonly keyPem: string;
}

/**
 * A key is written before what is derived from it. A process that ends in between leaves a key alone, from which the
 * next start goes on; what is derived without its key is therefore never ours, and is not overwritten.
 */
function ensureKey(files: PemFiles, file: string, derived: string): StoredKey {
  const present = files.read(file);
  if (present !== undefined) return { key: readPrivateKey(present, files.locate(file)), keyPem: present };
  if (files.read(derived) !== undefined) {
    throw fault(files, file, `is missing, but ${derived} is there; restore the one or delete the other`);
  }
  const key = newPrivateKey();
  const keyPem = privateKeyPem(key);
  files.write(file, keyPem);
  return { key, keyPem };
}

function firstCertificate(files: PemFiles, file: string, pem: string, key: KeyObject): X509Certificate {
  const [certificate] = readCertificates(pem, files.locate(file));
  if (!certificate?.checkPrivateKey(key)) throw fault(files, file, 'does not belong to the private key beside it');
  return certificate;
}

const isCurrent = (certificate: X509Certificate, moment: number): boolean =>
  Date.parse(certificate.validFrom) <= moment && moment <= Date.parse(certificate.validTo);

const isIssuedBy = (certificate: X509Certificate, authority: X509Certificate): boolean =>
  certificate.checkIssued(authority) && certificate.verify(authority.publicKey);

const fault = (files: PemFiles, file: string, why: string): Error => new Error(`${files.locate(file)}: ${why}`);
