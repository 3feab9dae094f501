// How long a short command takes beside a bare start of Node, and beside kubectl: `node bench/platformctl.mjs`.
// Programs take turns, so that a busy moment of the machine meets all of them; the quickest run of each is the one that was
// disturbed least, and the middle one is what people see.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROUNDS = Number(process.env.ROUNDS ?? 20);
const programOf = (file) => fileURLToPath(new URL(`../dist/cli/${file}`, import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'platform-bench-'));

/** Milliseconds of a run, which must succeed. */
function timeOf(file, args) {
  const config = join(directory, 'data', 'admin.conf');
  const env = { PATH: process.env.PATH, HOME: directory, KUBECONFIG: config, PLATFORMCONFIG: config };
  const begun = performance.now();
  const { status, error, stderr } = spawnSync(file, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  if (error?.code === 'ENOENT') return undefined;
  if (status !== 0) throw new Error(`${file} ${args.join(' ')}: ${status} ${stderr}`);
  return performance.now() - begun;
}

/** A server in a process of its own: what is measured waits for it while this process waits for what is measured. */
function spawnServer() {
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

const middle = (times) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)];

const PROGRAMS = [
  ['node -e 0', process.execPath, ['-e', '0']],
  ['platformctl get ns', programOf('platformctl.cjs'), ['get', 'ns']],
  ['kubectl get ns', 'kubectl', ['get', 'ns']],
];

const server = spawnServer();
try {
  await server.ready;
  const times = new Map(PROGRAMS.map(([name]) => [name, []]));
  for (let round = -4; round < ROUNDS; round++) {
    for (const [name, file, args] of PROGRAMS) {
      const time = timeOf(file, args);
      if (round >= 0 && time !== undefined) times.get(name).push(time);
    }
  }
  const bare = times.get('node -e 0');
  for (const [name, all] of times) {
    if (all.length === 0) continue;
    const ratio = (middle(all) / middle(bare)).toFixed(2);
    const least = (Math.min(...all) / Math.min(...bare)).toFixed(2);
    console.log(
      `${name.padEnd(20)} ${middle(all).toFixed(0).padStart(5)} ms  ${ratio}x (quickest ${Math.min(...all).toFixed(0)} ms, ${least}x)`,
    );
  }
} finally {
  server.end();
  rmSync(directory, { recursive: true, force: true });
}
