// What memory a server keeps after many objects were made and deleted, one minute after their history has passed.
// node bench/storm.mjs [count] [retention seconds]
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stop } from './child.mjs';
import { Generator } from './load.mjs';
import { configMap, SERIAL } from './objects.mjs';
import { AUTHORIZATION, caller, makeDataDir, readyLine } from './planes.mjs';

const COMMAND = fileURLToPath(new URL('../dist/cli/platform-apiserver.js', import.meta.url));
const MAPS = '/api/v1/namespaces/storm/configmaps';
const [count = 100_000, retention = 300] = process.argv.slice(2).map(Number);

function start(directory) {
  const flags = [`--data-dir=${directory}`, '--secure-port=0', `--token-auth-file=${join(directory, 'tokens.csv')}`];
  const arguments_ = [COMMAND, ...flags, `--history-retention=${retention}s`];
  return spawn(process.execPath, arguments_, { stdio: ['ignore', 'pipe', 'inherit'] });
}

function memoryOf({ pid }) {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const of = (name) => Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024);
  return { anonymous: of('RssAnon'), mapped: of('RssFile') };
}

const data = makeDataDir();
let child = start(data.directory);
try {
  let port = await readyLine(child);
  const call = caller(data.directory, port);
  await call('POST', '/api/v1/namespaces', { metadata: { name: 'storm' } });
  await sleep(5000);
  console.log('before', memoryOf(child));
  const generator = new Generator();
  const headers = { ...AUTHORIZATION, 'content-type': 'application/json' };
  const request = { method: 'POST', path: MAPS, headers, body: JSON.stringify(configMap(`storm-${SERIAL}`, '0')) };
  await generator.ask('load', { protocol: 'h1', port, connections: 64, streams: 1, count, request });
  generator.stop();
  console.log('made', memoryOf(child));
  await call('DELETE', MAPS);
  console.log('deleted', memoryOf(child));
  await sleep((retention * 1.1 + 10) * 1000);
  console.log('history has passed', memoryOf(child));
  await sleep(60_000);
  console.log('one minute later', memoryOf(child));
  await stop(child);
  child = start(data.directory);
  port = await readyLine(child);
  await sleep(5000);
  console.log('a fresh start', memoryOf(child), { port });
  await stop(child);
} finally {
  child.kill('SIGKILL');
  data.remove();
}
