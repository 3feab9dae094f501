import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePki, inMemoryPki, type Pki, type PkiOptions } from '../pki/bootstrap.ts';
import { directoryFiles } from '../pki/pem-files.ts';
import { fingerprintOf, type SharedAuthority, seal, unseal } from '../pki/shared-authority.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Settings } from '../settings/settings.ts';
import type { SharedDocument } from '../storage/backends/etcd/shared-document.ts';
import { etcdOptions } from './storage.ts';

const LEAST_SECRET_BYTES = 16;
const MOST_TRIES = 10;

export interface AuthorityParts {
  readonly settings: Settings;
  readonly dataDir: string | undefined;
  readonly pki: PkiOptions;
  readonly runtime: Runtime;
}

/** What etcd holds of the authority of its servers. */
interface Published {
  readonly fingerprint: string;
  /** Absent where the servers were given it in another way. */
  readonly sealed?: string;
}

/**
 * The authority that servers over one etcd share. With a key that all of them have it is kept in etcd, sealed by it; the
 * first makes it, and the others get it there. Without, each brings its own, which has to be the same: a server with
 * another is refused, since what one of them signs the others would not accept. Undefined: there is nothing to share.
 */
export async function sharedAuthority(parts: AuthorityParts): Promise<SharedAuthority | undefined> {
  const { settings, dataDir, runtime } = parts;
  if (settings.storage !== 'etcd') return undefined;
  const secret = secretOf(settings);
  const local = localAuthority(parts);
  // Nothing of this server outlasts it, and nothing was said to be shared.
  if (secret === undefined && dataDir === undefined) return undefined;
  const { withSharedDocument } = await import('../storage/backends/etcd/shared-document.ts');
  const options = { ...etcdOptions(settings), runtime, vocabulary: settings.vocabulary };
  return withSharedDocument(options, async (document) => {
    for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
      const text = await document.read();
      const published: Published | undefined = text === undefined ? undefined : JSON.parse(text);
      const opened = secret ? open(published, secret, local, settings) : compare(published, local, parts);
      if (opened) return opened;
      const mine = local ?? authorityOf(secret ? inMemoryPki(parts.pki) : ensurePki(pkiIn(dataDir), parts.pki));
      if (await publish(document, mine, secret, runtime)) return mine;
    }
    throw new Error('other servers change the authority in etcd all the time');
  });
}

/** Undefined: it is not in etcd yet, and this server may put it there. */
function open(
  published: Published | undefined,
  secret: Buffer,
  local: SharedAuthority | undefined,
  { etcdSharedKeyFile }: Settings,
): SharedAuthority | undefined {
  if (published === undefined) return undefined;
  if (published.sealed === undefined) {
    if (local && fingerprintOf(local) === published.fingerprint) return undefined;
    throw new Error(
      'etcd does not hold the authority of its servers: start one that has it with --etcd-shared-key-file first',
    );
  }
  const authority = unseal(published.sealed, secret);
  if (authority) return authority;
  throw new Error(`the authority in etcd was not sealed with the key in ${etcdSharedKeyFile}`);
}

function compare(
  published: Published | undefined,
  local: SharedAuthority | undefined,
  { settings, dataDir }: AuthorityParts,
): SharedAuthority | undefined {
  if (published === undefined) return undefined;
  if (local && fingerprintOf(local) === published.fingerprint) return local;
  // Those who bring certificates and token keys of their own need nothing of this authority.
  if (local && settings.tlsCertFile && settings.serviceAccountSigningKeyFile) return local;
  const what = local ? 'is not the authority' : 'does not hold the authority';
  throw new Error(
    `${pkiIn(dataDir)} ${what} of the servers that share this etcd: start all of them with one --etcd-shared-key-file`,
  );
}

function publish(
  document: SharedDocument,
  authority: SharedAuthority,
  secret: Buffer | undefined,
  runtime: Runtime,
): Promise<boolean> {
  const fingerprint = fingerprintOf(authority);
  const published: Published = secret ? { fingerprint, sealed: seal(authority, secret, runtime) } : { fingerprint };
  return document.write(JSON.stringify(published));
}

/** What the data directory holds already. */
function localAuthority({ dataDir, pki }: AuthorityParts): SharedAuthority | undefined {
  if (dataDir === undefined) return undefined;
  const files = directoryFiles(pkiIn(dataDir));
  return files.read('ca.key') === undefined ? undefined : authorityOf(ensurePki(pkiIn(dataDir), pki));
}

const authorityOf = ({ ca, serviceAccountKey }: Pki): SharedAuthority => ({
  caKey: ca.key,
  caCertificate: ca.certificate,
  tokenKey: serviceAccountKey.privateKey,
  tokenPublicKey: serviceAccountKey.publicKey,
});

const pkiIn = (dataDir = ''): string => join(dataDir, 'pki');

function secretOf({ etcdSharedKeyFile: file }: Settings): Buffer | undefined {
  if (file === undefined) return undefined;
  const secret = Buffer.from(readKey(file).trim());
  if (secret.length >= LEAST_SECRET_BYTES) return secret;
  throw new Error(`--etcd-shared-key-file: ${file} holds less than ${LEAST_SECRET_BYTES} characters`);
}

function readKey(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`--etcd-shared-key-file: cannot read ${file}`, { cause: error });
  }
}
