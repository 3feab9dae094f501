import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Peers that `test/fetch-peers.mjs` unpacked, a folder for each. */
const unpacked = fileURLToPath(new URL('../../.cache/peers', import.meta.url));

/**
 * Whether a program that the server is tried against is on this machine. Where it is not, its tests are skipped and a
 * line says so; where REQUIRE_PEERS lists it, that is an error.
 */
export const havePeer = (name: string, ...versionArguments: string[]): boolean =>
  havePeerAt(name, name, ...versionArguments);

/** As `havePeer`, for a program that is known to be at a place. */
export function havePeerAt(path: string, name: string, ...versionArguments: string[]): boolean {
  const { error } = spawnSync(path, versionArguments, { stdio: 'ignore' });
  if (error) missing(name);
  return !error;
}

function missing(name: string): void {
  const required = (process.env.REQUIRE_PEERS ?? '').split(',').map((one) => one.trim());
  if (required.includes(name)) throw new Error(`${name} is required (REQUIRE_PEERS) but not installed`);
  console.warn(`${name} is not installed: tests with it are skipped`);
}

export interface KubectlProgram {
  readonly path: string;
  /** As it says itself: `v1.32.4`. */
  readonly version: string;
  /** The number behind the first dot of it. */
  readonly minor: number;
}

let found: readonly KubectlProgram[] | undefined;

/**
 * Every kubectl there is, one of a version: those that KUBECTL names (paths, as in PATH), those on the PATH, and those
 * that were unpacked into the cache. None is what `havePeer` says of it.
 */
export function kubectlPrograms(): readonly KubectlProgram[] {
  if (found) return found;
  const named = (process.env.KUBECTL ?? '').split(delimiter).filter(Boolean);
  for (const path of named) if (!kubectlAt(path)) throw new Error(`${path} (KUBECTL) is no kubectl that runs`);
  const cached = existsSync(unpacked) ? readdirSync(unpacked) : [];
  const inPath = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const places = [
    ...inPath.map((folder) => join(folder, 'kubectl')),
    ...cached.map((name) => join(unpacked, name, 'usr', 'bin', 'kubectl')),
  ];
  const paths = [...named, ...places.filter((path) => existsSync(path))].map((path) => resolve(path));
  const byVersion = new Map<string, KubectlProgram>();
  for (const program of [...new Set(paths)].map(kubectlAt)) {
    if (program && !byVersion.has(program.version)) byVersion.set(program.version, program);
  }
  if (byVersion.size === 0) missing('kubectl');
  found = [...byVersion.values()];
  return found;
}

function kubectlAt(path: string): KubectlProgram | undefined {
  const { stdout, error } = spawnSync(path, ['version', '--client', '--output=json'], { encoding: 'utf8' });
  if (error) return undefined;
  const version = /"gitVersion": *"(v1\.(\d+)[^"]*)"/.exec(stdout);
  return version?.[1] ? { path, version: version[1], minor: Number(version[2]) } : undefined;
}
