import { join } from 'node:path';
import { SILENT } from '../observe/logging/logger.ts';
import { Encoder } from '../registry/encoding.ts';
import { recut } from '../registry/restamped.ts';
import { type Runtime, systemRuntime } from '../runtime/runtime.ts';
import type { Encryption } from '../server/encryption.ts';
import { backendFor } from '../server/storage.ts';
import { asksForHelp } from '../settings/command-line.ts';
import { readConfiguredLine } from '../settings/config-file.ts';
import { UsageError } from '../settings/flag.ts';
import type { Settings } from '../settings/settings.ts';
import { type Backend, StorageRefused, type StoredVersion, stamp } from '../storage/backend.ts';
import { createStore } from '../storage/backends/lmdb/lmdb-state.ts';
import { SealedBackend } from '../storage/sealing/sealed-backend.ts';
import { isInTheClear, sealText } from '../storage/sealing/sealed-text.ts';
import { vocabularyNamed } from '../vocabulary/vocabulary.ts';

const USAGE = `usage: platform-apiserver migrate --to=etcd --etcd-servers=URLS [--data-dir=DIRECTORY] [flags]
       platform-apiserver migrate --to=lmdb --etcd-servers=URLS [--data-dir=DIRECTORY] [flags]

etcd  copies all objects of the data directory's store to an etcd that has none
lmdb  copies all objects in etcd to the store of a data directory that has none

Stop the servers first. What is copied stays where it was. Objects that are encrypted need --encryption-provider-config, by
which they are decrypted and encrypted anew. --help of the server tells the other flags of etcd.
`;

/** Writes under way at once: enough to keep etcd busy. */
const AT_ONCE = 64;
const BATCH = 500;

type Store = 'etcd' | 'lmdb';

/** `platform-apiserver migrate …`: does it and returns what to tell. Throws an Error of one clear line. */
export async function migrate(args: readonly string[], runtime: Runtime = systemRuntime): Promise<string> {
  if (asksForHelp(args)) return USAGE;
  const to = args.find((argument) => argument.startsWith('--to='))?.slice('--to='.length);
  const { settings } = await readConfiguredLine(args.filter((argument) => !argument.startsWith('--to=')));
  if (to === 'etcd') return withEncryption(settings, runtime, toEtcd);
  if (to === 'lmdb') return withEncryption(settings, runtime, toLmdb);
  throw new UsageError('migrate needs --to=etcd or --to=lmdb; migrate --help tells more');
}

/** What both stores are opened with. */
interface Stores {
  readonly settings: Settings;
  readonly runtime: Runtime;
  /** Undefined: nothing that is encrypted can be copied. */
  readonly encryption: Encryption | undefined;
}

/** Lends what opens and seals objects, if there is a configuration. */
async function withEncryption(
  settings: Settings,
  runtime: Runtime,
  use: (stores: Stores) => Promise<string>,
): Promise<string> {
  const { encryptionProviderConfig: file } = settings;
  if (file === undefined) return use({ settings, runtime, encryption: undefined });
  const vocabulary = vocabularyNamed(settings.vocabulary);
  const { encryptionFrom } = await import('../server/encryption.ts');
  const encryption = await encryptionFrom({ file, vocabulary, runtime, logger: SILENT });
  return use({ settings, runtime, encryption }).finally(() => encryption.close());
}

async function openStore({ settings, runtime, encryption }: Stores, storage: Store): Promise<Backend> {
  const { dataDir } = settings;
  const backend = await backendFor({ settings: { ...settings, storage }, dataDir, runtime, logger: SILENT });
  return encryption ? new SealedBackend(backend, encryption.sealing.rulesOf) : backend;
}

/** Opens both, so that whatever is wrong with either is found before anything is written. */
async function toEtcd(stores: Stores): Promise<string> {
  const { settings, runtime } = stores;
  const source = await openStore(stores, 'lmdb');
  const target = await openStore(stores, 'etcd');
  try {
    const state = await readState(source);
    const present = await readState(target);
    if (present.versions.length > 0) {
      throw new StorageRefused(`etcd holds objects below ${settings.etcdPrefix} already: choose another --etcd-prefix`);
    }
    demandReadable(state.versions);
    const revision = await writeAll(target, state.versions, runtime);
    const again = revision < state.revision ? '; clients have to list again: revisions begin anew in etcd' : '';
    return `copied ${state.versions.length} objects to etcd, which is at revision ${revision} now${again}\n`;
  } finally {
    await source.close();
    await target.close();
  }
}

async function toLmdb(stores: Stores): Promise<string> {
  const { settings, runtime, encryption } = stores;
  const source = await openStore(stores, 'etcd');
  try {
    const { versions, revision } = await readState(source);
    demandReadable(versions);
    const directory = join(settings.dataDir, 'store');
    const { vocabulary } = settings;
    const stored = sealer(encryption, runtime);
    const begins = await createStore({ runtime, directory, vocabulary, revision }, inBatches(versions, stored));
    return `copied ${versions.length} objects to ${directory}; revisions go on from ${begins}\n`;
  } finally {
    await source.close();
  }
}

/** Refuses to copy what nobody could say anything of afterwards, by the name of the first. */
function demandReadable(versions: readonly StoredVersion[]): void {
  for (const { key, bytes, unreadable } of versions) {
    if (unreadable !== undefined) throw new StorageRefused(`${key} cannot be decrypted: ${unreadable}`);
    if (!isInTheClear(bytes)) throw new StorageRefused(`${key} is encrypted: --encryption-provider-config is needed`);
  }
}

/** Makes of a version as it is served the one that is stored in its place. */
function sealer(encryption: Encryption | undefined, runtime: Runtime): (version: StoredVersion) => StoredVersion {
  const encoder = new Encoder(runtime);
  return (version) => {
    const { key, bytes, revision } = version;
    const rules = encryption?.sealing.rulesOf(key);
    return rules ? { ...version, bytes: stamp(sealText(recut(encoder, bytes), key, rules), revision) } : version;
  };
}

interface State {
  /** The newest version of every live key, in revision order. */
  readonly versions: readonly StoredVersion[];
  readonly revision: number;
}

async function readState(backend: Backend): Promise<State> {
  const newest = new Map<string, StoredVersion>();
  const load = (versions: readonly StoredVersion[]): void => {
    for (const version of versions) {
      newest.delete(version.key);
      if (!version.deleted) newest.set(version.key, version);
    }
  };
  const ignore = (): void => undefined;
  const { revision } = await backend.open(load, ignore, ignore);
  return { versions: [...newest.values()], revision };
}

/** Returns the last revision that was given. */
async function writeAll(target: Backend, versions: readonly StoredVersion[], runtime: Runtime): Promise<number> {
  const encoder = new Encoder(runtime);
  let last = 0;
  const write = async ({ key, bytes }: StoredVersion): Promise<void> => {
    const outcome = await target.commit({ key, expected: 0, value: recut(encoder, bytes) });
    if (outcome.conflict) throw new StorageRefused(`someone else writes to etcd: ${key} is there already`);
    last = Math.max(last, outcome.revision);
  };
  for (let from = 0; from < versions.length; from += AT_ONCE) {
    await Promise.all(versions.slice(from, from + AT_ONCE).map(write));
  }
  return last;
}

async function* inBatches(
  versions: readonly StoredVersion[],
  stored: (version: StoredVersion) => StoredVersion,
): AsyncGenerator<readonly StoredVersion[]> {
  for (let from = 0; from < versions.length; from += BATCH) yield versions.slice(from, from + BATCH).map(stored);
}
