/**
 * Puts programs that the server is tried with into .cache/peers, where tests find them: kubectl as Debian has it, and
 * the releases of Node that are supported. Nothing is installed, so that nothing collides with what is there. What
 * cannot be had is told in a line, and is no failure; what is there already stays.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { nodeIn, PEERS, SUPPORTED_NODES } from './supported-nodes.mjs';

const DEADLINE_MS = 180_000;

const run = (command, args, cwd) => promisify(execFile)(command, args, { cwd, timeout: DEADLINE_MS });

/** `fill` puts a peer into a folder that takes its place when `program` is in it. */
async function fetchPeer(name, program, fill) {
  const place = join(PEERS, name);
  if (existsSync(program(place))) return;
  const fresh = await mkdtemp(join(PEERS, '.fetch-'));
  try {
    await fill(fresh);
    if (!existsSync(program(fresh))) throw new Error('it does not hold what it should');
    await rm(place, { recursive: true, force: true });
    await rename(fresh, place);
    console.log(`peer fetched: ${name}`);
  } catch (error) {
    console.log(`peer not available: ${name} (${String(error.message).split('\n')[0]})`);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

await mkdir(PEERS, { recursive: true });

await fetchPeer(
  'kubernetes-client',
  (folder) => join(folder, 'usr', 'bin', 'kubectl'),
  async (folder) => {
    await run('apt-get', ['download', 'kubernetes-client'], folder);
    const [archive = ''] = await readdir(folder);
    await run('dpkg-deb', ['-x', archive, '.'], folder);
    await rm(join(folder, archive));
  },
);

for (const major of SUPPORTED_NODES) {
  await fetchPeer(`node-${major}`, nodeIn, async (folder) => {
    const release = `node-${process.platform}-${process.arch}@${major}`;
    const quiet = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
    await run('npm', ['install', '--prefix', folder, ...quiet, release], folder);
  });
}
