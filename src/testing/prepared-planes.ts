import { inMemoryPki, type Pki } from '../pki/bootstrap.ts';
import { systemRuntime } from '../runtime/runtime.ts';
import { pkiOptionsOf } from '../server/credentials.ts';
import { checkOptions } from '../server/options.ts';
import type { PreparedPlane } from '../server/prepared-plane.ts';
import { type StartOptions, startPlane } from '../server/server.ts';
import type { Settings } from '../settings/settings.ts';
import type { StoredVersion } from '../storage/backend.ts';
import { MemoryDisk } from '../storage/backends/memory/memory-backend.ts';
import { vocabularyNamed } from '../vocabulary/vocabulary.ts';
import { ManualClock } from './manual-clock.ts';

/** So many sets of settings are remembered; a file of tests hardly has two. */
const MOST_REMEMBERED = 8;

/** Some loops begin a second after the others, so that nobody waits for them. */
const FIRST_MOMENTS_MS = 5_000;

/** What planes of the same settings have in common: they differ in where they listen, and in what happens to them. */
interface Foundation {
  readonly pki: Pki;
  /** What a plane holds that has just been started, once its control loops have nothing left to do. */
  readonly versions: readonly StoredVersion[];
}

const foundations = new Map<string, Promise<Foundation>>();
const authorities = new Map<string, Pki>();

/**
 * What a plane of these settings begins with. The first time it is made by starting one that nobody uses; every other plane
 * of the process takes up where that one stood, with keys that are the same for all.
 */
export async function preparedPlane(options: StartOptions): Promise<PreparedPlane> {
  const { settings } = checkOptions(options);
  const key = JSON.stringify({ ...settings, securePort: 0, v: 0 });
  const known = foundations.get(key) ?? layFoundation(options, settings);
  remember(foundations, key, known);
  known.catch(() => foundations.delete(key));
  const { pki, versions } = await known;
  return { pki, disk: diskWith(versions), isBootstrapped: true };
}

/** The last to be used stays longest. */
function remember<T>(known: Map<string, T>, key: string, value: T): void {
  known.delete(key);
  known.set(key, value);
  const [oldest = ''] = known.keys();
  if (known.size > MOST_REMEMBERED) known.delete(oldest);
}

async function layFoundation(options: StartOptions, settings: Settings): Promise<Foundation> {
  const pki = authorityFor(settings);
  const disk = new MemoryDisk();
  // What loops do a little later is done too; so long ago that no plane finds something from its future.
  const runtime = new ManualClock({ start: systemRuntime.now() - FIRST_MOMENTS_MS });
  await using _ = await startPlane({ ...options, runtime, prepared: { pki, disk, isBootstrapped: false } });
  await runtime.advance(FIRST_MOMENTS_MS);
  return { pki, versions: newestIn(disk) };
}

/** Names in certificates depend on the vocabulary and on where the plane listens. */
function authorityFor(settings: Settings): Pki {
  const key = `${settings.vocabulary} ${settings.bindAddress}`;
  const pki =
    authorities.get(key) ?? inMemoryPki(pkiOptionsOf(settings, vocabularyNamed(settings.vocabulary), systemRuntime));
  remember(authorities, key, pki);
  return pki;
}

/** The state alone, in memory of its own: many planes will hold it, and each lets go of its own only. */
function newestIn({ versions }: MemoryDisk): readonly StoredVersion[] {
  const newest = new Map<string, StoredVersion>();
  for (const version of versions.values()) {
    newest.delete(version.key);
    if (!version.deleted) newest.set(version.key, { ...version, bytes: Buffer.from(version.bytes) });
  }
  return [...newest.values()];
}

/** A disk with a state and no history: watches cannot begin before it. */
function diskWith(versions: readonly StoredVersion[]): MemoryDisk {
  const disk = new MemoryDisk();
  for (const version of versions) disk.versions.set(version.revision, version);
  disk.compacted = versions.at(-1)?.revision ?? 0;
  return disk;
}
