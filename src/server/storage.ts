import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { availableMemory } from '../bounds/memory-guard.ts';
import type { Logger } from '../observe/logging/logger.ts';
import type { ServerMetrics } from '../observe/metrics/server-metrics.ts';
import { CommitMetrics, transformationMeter } from '../observe/metrics/storage-metrics.ts';
import { OWNERSHIP_TEXTS } from '../registry/facets.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Settings } from '../settings/settings.ts';
import type { Backend } from '../storage/backend.ts';
import { VersionLog } from '../storage/log/version-log.ts';
import type { Encryption } from './encryption.ts';
import type { PreparedPlane } from './prepared-plane.ts';

/** What a store is chosen and opened by. */
export interface StorageOptions {
  readonly settings: Settings;
  readonly dataDir: string | undefined;
  readonly runtime: Runtime;
  readonly logger: Logger;
  /** Collections whose past is remembered for longer. Absent: none. */
  readonly retentionFor?: ReadonlyMap<string, number>;
  /** Absent: nobody counts. */
  readonly metrics?: ServerMetrics;
  /** Absent: objects are stored as they are. */
  readonly encryption?: Encryption | undefined;
  /** Absent: a memory store begins empty. */
  readonly prepared?: PreparedPlane | undefined;
}

/** Opens the store that settings choose, and reads what it holds. Whoever opens it closes it. */
export async function openStorage(options: StorageOptions): Promise<VersionLog> {
  const { settings, encryption, runtime, logger, metrics, retentionFor } = options;
  const commits = metrics && new CommitMetrics(metrics.recorder);
  return VersionLog.open(await sealed(await backendFor(options), options), {
    runtime,
    retentionMs: settings.historyRetention,
    historyMemory: settings.historyMemory,
    lookFor: OWNERSHIP_TEXTS,
    // What is encrypted would have to be decrypted whenever it is read.
    ...(!encryption && { liveMemory: (settings.memoryLimit ?? availableMemory()) * LIVE_PART }),
    ...(retentionFor && { retentionFor }),
    onCompaction(compaction) {
      const why = FORGOTTEN_EARLY[compaction.reason];
      if (why) logger.warn(compaction, `history is forgotten early: ${why}`);
    },
    ...(commits && { onCommit: (write, milliseconds) => commits.committed(write, milliseconds) }),
    onError: (error) => logger.error({ err: error }, 'the version log had a problem'),
  });
}

/** Of the memory there is, so much may be taken by what objects say; the rest of it is left in the store. */
const LIVE_PART = 0.25;

const FORGOTTEN_EARLY = { age: undefined, size: 'it exceeds --history-memory', room: 'the store may not grow' };

/** The store with what is encrypted in it. Without a configuration nothing is, and nothing is loaded for it. */
async function sealed(backend: Backend, options: StorageOptions): Promise<Backend> {
  const { settings, encryption, metrics, runtime, logger } = options;
  if (!encryption || settings.storage === 'memory') return backend;
  const { SealedBackend } = await import('../storage/sealing/sealed-backend.ts');
  const meter = metrics && transformationMeter(metrics.recorder, runtime);
  const store = new SealedBackend(backend, encryption.sealing.rulesOf, meter);
  encryption.onKeys(() => {
    const failed = (error: unknown): void =>
      logger.error({ err: error }, 'objects whose key is back could not be read all the same');
    store.openWaiting().catch(failed);
  });
  return store;
}

/** Stores are loaded when chosen: a server with one need not wait for the others. */
export async function backendFor({ settings, dataDir, runtime, logger, prepared }: StorageOptions): Promise<Backend> {
  const { storage, vocabulary } = settings;
  if (storage === 'etcd') {
    const options = etcdOptions(settings);
    const { EtcdBackend } = await import('../storage/backends/etcd/etcd-backend.ts');
    const onError = (error: unknown): void => logger.warn({ err: error }, 'etcd is asked again');
    return new EtcdBackend({ ...options, runtime, vocabulary, onError });
  }
  if (storage === 'memory' || dataDir === undefined) {
    const { MemoryBackend } = await import('../storage/backends/memory/memory-backend.ts');
    return new MemoryBackend({ runtime, ...(prepared && { disk: prepared.disk }) });
  }
  const { LmdbBackend } = await import('../storage/backends/lmdb/lmdb-backend.ts');
  return new LmdbBackend({
    runtime,
    directory: join(dataDir, 'store'),
    vocabulary,
    quota: settings.storageQuota,
  });
}

/** Throws what to tell the operator when the flags do not fit together. */
export function etcdOptions({ etcdServers, etcdPrefix, etcdCafile, etcdCertfile, etcdKeyfile }: Settings) {
  if (etcdServers.length === 0) throw new Error('--storage=etcd needs --etcd-servers');
  for (const url of etcdServers) {
    if (!/^https?:\/\/[^/]+\/?$/.test(url)) throw new Error(`--etcd-servers: "${url}" is not http(s)://HOST:PORT`);
  }
  if ((etcdCertfile === undefined) !== (etcdKeyfile === undefined)) {
    throw new Error('--etcd-certfile and --etcd-keyfile must be given together');
  }
  const tls = () => ({
    ...(etcdCafile !== undefined && { ca: readPem('--etcd-cafile', etcdCafile) }),
    ...(etcdCertfile !== undefined && { cert: readPem('--etcd-certfile', etcdCertfile) }),
    ...(etcdKeyfile !== undefined && { key: readPem('--etcd-keyfile', etcdKeyfile) }),
  });
  // What cannot be read is told at once; later it is read again for every connection.
  tls();
  return { endpoints: etcdServers, prefix: prefixOf(etcdPrefix), tls };
}

/** One slash at the beginning, none at the end. */
function prefixOf(given: string): string {
  let prefix = given.replace(/^\/*/, '/');
  while (prefix.endsWith('/')) prefix = prefix.slice(0, -1);
  return prefix;
}

function readPem(flag: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${flag}: cannot read ${file}`, { cause: error });
  }
}
