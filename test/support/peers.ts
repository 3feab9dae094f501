import { spawnSync } from 'node:child_process';

/**
 * Whether a program that the server is tried against is on this machine. Where it is not, its tests are skipped and a
 * line says so; where REQUIRE_PEERS lists it, that is an error.
 */
export function havePeer(name: string, ...versionArguments: string[]): boolean {
  const { error } = spawnSync(name, versionArguments, { stdio: 'ignore' });
  if (!error) return true;
  const required = (process.env.REQUIRE_PEERS ?? '').split(',').map((one) => one.trim());
  if (required.includes(name)) throw new Error(`${name} is required (REQUIRE_PEERS) but not installed`);
  console.warn(`${name} is not installed: tests with it are skipped`);
  return false;
}
