import { existsSync, readFileSync } from 'node:fs';
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
import { readFoundation, writeFoundation } from './foundation-text.ts';
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
 * What a plane of these settings begins with. The first time it is what the build has left of one, or it is made by starting
 * one that nobody uses; every other plane of the process takes up where that one stood, with keys that are the same for all.
 */
export async function preparedPlane(options: StartOptions): Promise<PreparedPlane> {
  const { settings } = checkOptions(options);
  const key = keyOf(settings);
  const known = foundations.get(key) ?? foundationFor(options, settings, key);
  remember(foundations, key, known);
  known.catch(() => foundations.delete(key));
  const { pki, versions } = await known;
  return { pki, disk: diskWith(versions), isBootstrapped: true };
}

/** Planes whose settings have the same key begin with the same. */
const keyOf = (settings: Settings): string => JSON.stringify({ ...settings, securePort: 0, v: 0 });

/** The last to be used stays longest. */
function remember<T>(known: Map<string, T>, key: string, value: T): void {
  known.delete(key);
  known.set(key, value);
  const [oldest = ''] = known.keys();
  if (known.size > MOST_REMEMBERED) known.delete(oldest);
}

/** What loops do a little later is done too; so long ago that no plane finds something from its future. */
const beginning = (): number => systemRuntime.now() - FIRST_MOMENTS_MS;

async function foundationFor(options: StartOptions, settings: Settings, key: string): Promise<Foundation> {
  const pki = authorityFor(settings);
  const versions = builtFoundation(settings, key, pki) ?? (await layFoundation(options, pki, beginning()));
  return { pki, versions };
}

async function layFoundation(options: StartOptions, pki: Pki, start: number): Promise<readonly StoredVersion[]> {
  const disk = new MemoryDisk();
  const runtime = new ManualClock({ start });
  await using _ = await startPlane({ ...options, runtime, prepared: { pki, disk, isBootstrapped: false } });
  await runtime.advance(FIRST_MOMENTS_MS);
  return newestIn(disk);
}

/** Seen from the package's folder of bundles, and from the one of this entry point. */
const FOLDERS = ['./testing/foundations/', './foundations/'].map((folder) => new URL(folder, import.meta.url));

/** What the build has left for planes of these settings; undefined of other settings, and where nothing was built. */
function builtFoundation(settings: Settings, key: string, pki: Pki): readonly StoredVersion[] | undefined {
  const file = FOLDERS.map((folder) => new URL(`${settings.vocabulary}.txt`, folder)).find((one) => existsSync(one));
  if (!file) return undefined;
  const owner = { settings: key, authority: pki.ca.certificate, made: beginning(), uuid: systemRuntime.uuid };
  return readFoundation(readFileSync(file, 'utf8'), owner);
}

/** What planes of these settings begin with, for `builtFoundation`. */
export async function foundationTextOf(options: StartOptions): Promise<string> {
  const { settings } = checkOptions(options);
  const pki = authorityFor(settings);
  // Times of objects are whole seconds.
  const made = Math.floor(beginning() / 1000) * 1000;
  const versions = await layFoundation(options, pki, made);
  return writeFoundation({ settings: keyOf(settings), made, authority: pki.ca.certificate, versions });
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
