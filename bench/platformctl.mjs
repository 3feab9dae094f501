import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuSecondsOfEndedChildren } from './child.mjs';

const programOf = (file) => fileURLToPath(new URL(`../dist/cli/${file}`, import.meta.url));

/** Milliseconds of a run on the clock and of the processor; undefined where there is no such program. */
function timeOf(directory, file, args) {
  const config = join(directory, 'data', 'admin.conf');
  const env = { PATH: process.env.PATH, HOME: directory, KUBECONFIG: config, PLATFORMCONFIG: config };
  const before = cpuSecondsOfEndedChildren();
  const begun = performance.now();
  const { status, error, stderr } = spawnSync(file, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  if (error?.code === 'ENOENT') return undefined;
  if (status !== 0) throw new Error(`${file} ${args.join(' ')}: ${status} ${stderr}`);
  const wall = performance.now() - begun;
  return { wall, cpu: (cpuSecondsOfEndedChildren() - before) * 1000 };
}

/** A server in a process of its own: what is measured waits for it while this process waits for what is measured. */
function spawnServer(directory) {
  const args = ['--vocabulary=kubernetes', '--data-dir', join(directory, 'data'), '--secure-port=0'];
  const child = spawn(process.execPath, [programOf('platform-apiserver.js'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ready = new Promise((resolve, reject) => {
    child.stdout.on('data', (text) => String(text).includes('admin.key') && resolve());
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { ready, end: () => child.kill() };
}

const PROGRAMS = [
  ['node -e 0', process.execPath, ['-e', '0']],
  ['platformctl get ns', programOf('platformctl.cjs'), ['get', 'ns']],
  ['kubectl get ns', 'kubectl', ['get', 'ns']],
];

/**
 * How long a short command takes beside a bare start of Node, and beside kubectl where there is one. Programs take turns, so
 * that a busy moment of the machine meets all of them.
 */
export async function measureCommandLine({ starts }) {
  const directory = mkdtempSync(join(tmpdir(), 'platform-bench-'));
  const server = spawnServer(directory);
  try {
    await server.ready;
    const times = new Map(PROGRAMS.map(([name]) => [name, []]));
    for (let round = -2; round < 3 * starts; round++) {
      for (const [name, file, args] of PROGRAMS) {
        const time = timeOf(directory, file, args);
        if (round >= 0 && time !== undefined) times.get(name).push(time);
      }
    }
    return Object.fromEntries([...times].filter(([, runs]) => runs.length > 0));
  } finally {
    server.end();
    rmSync(directory, { recursive: true, force: true });
  }
}
