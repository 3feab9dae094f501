import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stop } from './child.mjs';

const PATIENCE_MS = 20_000;

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** An etcd of one member on this machine, in a directory that goes with it. */
export async function startEtcd() {
  const directory = mkdtempSync(join(tmpdir(), 'platform-bench-etcd-'));
  const [client, peer] = [await freePort(), await freePort()].map((port) => `http://127.0.0.1:${port}`);
  const flags = {
    'data-dir': directory,
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `default=${peer}`,
    'log-level': 'error',
  };
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const env = { ...process.env, ETCD_UNSUPPORTED_ARCH: process.arch };
  const child = spawn('etcd', args, { env, stdio: 'ignore' });
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await isHealthy(client))) {
    if (performance.now() > deadline || child.exitCode !== null) throw new Error('etcd does not start');
    await sleep(50);
  }
  return {
    pid: child.pid,
    url: client,
    async stop() {
      await stop(child);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const isHealthy = (url) =>
  fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
