import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuthenticationInfo } from '../controllers/authentication-info.ts';
import type { NamedCertificate } from '../http/named-certificates.ts';
import { type CertifiedKey, ensurePki, inMemoryPki, type Pki, type PkiOptions } from '../pki/bootstrap.ts';
import type { PemBundle } from '../pki/client-authorities.ts';
import { readCertificates, readPrivateKey } from '../pki/keys.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Settings } from '../settings/settings.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** Keys, certificates and tokens the server works with: given by flags, else its own, made once. */
export interface Credentials {
  readonly serving: CertifiedKey;
  /** Shown instead to clients that ask for their names. */
  readonly named: readonly NamedCertificate[];
  readonly admin: CertifiedKey;
  /** Of the authorities whose client certificates are accepted. */
  readonly clientCas: readonly PemBundle[];
  /** Of the authorities whose certificates make an authenticating proxy; empty: there is none. */
  readonly proxyCas: readonly PemBundle[];
  /** The server's own authority. */
  readonly ca: CertifiedKey;
  /** PEM of what clients verify the server by. */
  readonly rootCa: string;
  /** PEM of what clients inside the plane are told to verify it by. */
  readonly publishedRootCa: string;
  /** Signs service account tokens; PEM. */
  readonly tokenSigningKey: PemBundle;
  /** Verify them, besides the one that signs; PEM. */
  readonly tokenKeys: readonly PemBundle[];
  /** Authorities of the server in front, where there is one. */
  readonly front: FrontTrust;
  readonly tokens: { readonly text: string; readonly file: string } | undefined;
}

/** Of users and of proxies, as the server in front says. */
export type FrontTrust = Pick<Credentials, 'clientCas' | 'proxyCas'>;

const NO_FRONT: FrontTrust = { clientCas: [], proxyCas: [] };

/** The authorities that the server in front names. */
export const frontTrust = ({ clientCa, proxies }: AuthenticationInfo): FrontTrust => ({
  clientCas: bundle(clientCa),
  proxyCas: bundle(proxies?.clientCa ?? ''),
});

const bundle = (pem: string): PemBundle[] => (pem === '' ? [] : [{ pem, source: 'the server in front' }]);

/** What a server's own certificates are made for. */
export function pkiOptionsOf(settings: Settings, vocabulary: Vocabulary, runtime: Runtime): PkiOptions {
  const { bare, namespaced, service, qualified } = vocabulary.hostNames;
  const names = vocabulary.certificateNames;
  return { runtime, names, hosts: [settings.bindAddress], serviceHosts: [bare, namespaced, service, qualified] };
}

/** Without a data directory nothing is written: the credentials last as long as the server. */
export function readCredentials(
  settings: Settings,
  dataDir: string | undefined,
  options: PkiOptions,
  prepared?: Pki,
): Credentials {
  const pki = prepared ?? (dataDir === undefined ? inMemoryPki(options) : ensurePki(join(dataDir, 'pki'), options));
  const given = givenServing(settings);
  const { clientCaFile, requestheaderClientCaFile, rootCaFile, tokenAuthFile } = settings;
  const rootCa = given?.certificate ?? pki.ca.certificate;
  return {
    serving: given ?? pki.serving,
    named: settings.tlsSniCertKey.map(namedCertificate),
    admin: pki.admin,
    clientCas: [{ pem: pki.ca.certificate, source: 'ca.crt' }, ...bundleOf(clientCaFile)],
    proxyCas: bundleOf(requestheaderClientCaFile),
    ca: pki.ca,
    rootCa,
    publishedRootCa: rootCaFile === undefined ? rootCa : checkedCertificates(rootCaFile),
    tokenSigningKey: keyIn(settings.serviceAccountSigningKeyFile) ?? {
      pem: pki.serviceAccountKey.privateKey,
      source: 'sa.key',
    },
    tokenKeys: tokenKeyFiles(settings).map((file) => ({ pem: readText(file), source: file })),
    front: NO_FRONT,
    tokens: tokenAuthFile === undefined ? undefined : { text: readText(tokenAuthFile), file: tokenAuthFile },
  };
}

/** The credentials with what the files of the serving certificate hold now. */
export const rereadServing = (settings: Settings, former: Credentials): Credentials => ({
  ...former,
  serving: givenServing(settings) ?? former.serving,
  named: settings.tlsSniCertKey.map(namedCertificate),
});

/** The credentials with what the files of authorities hold now; the server's own stays. */
export function rereadTrust(settings: Settings, former: Credentials): Credentials {
  const own = former.clientCas.slice(0, 1);
  return {
    ...former,
    clientCas: [...own, ...bundleOf(settings.clientCaFile), ...former.front.clientCas],
    proxyCas: [...bundleOf(settings.requestheaderClientCaFile), ...former.front.proxyCas],
  };
}

/** Whichever a client has may be shown: what it is good for is decided request by request. */
export const clientCasOf = ({ clientCas, proxyCas }: Credentials): string[] =>
  [...clientCas, ...proxyCas].map(({ pem }) => pem);

function givenServing({ tlsCertFile, tlsPrivateKeyFile }: Settings): CertifiedKey | undefined {
  if (tlsCertFile === undefined && tlsPrivateKeyFile === undefined) return undefined;
  if (tlsCertFile === undefined || tlsPrivateKeyFile === undefined) {
    throw new Error('--tls-cert-file and --tls-private-key-file must be given together');
  }
  const key = readText(tlsPrivateKeyFile);
  readPrivateKey(key, tlsPrivateKeyFile);
  return { certificate: checkedCertificates(tlsCertFile), key };
}

/** `certificate file,key file`, and after a colon the names, where they are others than those in the certificate. */
function namedCertificate(text: string): NamedCertificate {
  const [, certFile = '', keyFile = '', names = ''] = /^([^,]+),([^:]+)(?::(.+))?$/.exec(text) ?? [];
  if (certFile === '') throw new Error(`--tls-sni-cert-key: "${text}" is not CERT,KEY or CERT,KEY:NAMES`);
  const cert = checkedCertificates(certFile);
  const key = readText(keyFile);
  readPrivateKey(key, keyFile);
  return { cert, key, names: names === '' ? namesIn(cert) : names.split(',') };
}

/** The host names that a certificate is for. */
function namesIn(pem: string): string[] {
  const { subjectAltName = '' } = new X509Certificate(pem);
  return subjectAltName.split(', ').flatMap((entry) => (entry.startsWith('DNS:') ? [entry.slice(4)] : []));
}

const keyIn = (file: string | undefined): PemBundle | undefined =>
  file === undefined ? undefined : { pem: readText(file), source: file };

/** Tokens may have been signed with the key of the serving certificate, where nothing else is said. */
function tokenKeyFiles({ serviceAccountKeyFile, tlsPrivateKeyFile }: Settings): readonly string[] {
  if (serviceAccountKeyFile.length > 0) return serviceAccountKeyFile;
  return tlsPrivateKeyFile === undefined ? [] : [tlsPrivateKeyFile];
}

const bundleOf = (file: string | undefined): PemBundle[] =>
  file === undefined ? [] : [{ pem: checkedCertificates(file), source: file }];

/** PEM text that really holds certificates. */
function checkedCertificates(file: string): string {
  const pem = readText(file);
  readCertificates(pem, file);
  return pem;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`, {
      cause: error,
    });
  }
}
