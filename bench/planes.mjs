import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stop } from './child.mjs';

const fileBeside = (path) => fileURLToPath(new URL(path, import.meta.url));
const COMMAND = fileBeside('../dist/cli/platform-apiserver.js');
const FLOOR = fileBeside('./floor.mjs');

/** A token, because the load generators cannot show client certificates. */
const TOKEN = 'bench-token';
export const AUTHORIZATION = { authorization: `Bearer ${TOKEN}` };
const JSON_HEADERS = { ...AUTHORIZATION, 'content-type': 'application/json' };

export function makeDataDir() {
  const directory = mkdtempSync(join(tmpdir(), 'platform-bench-'));
  writeFileSync(join(directory, 'tokens.csv'), `${TOKEN},bench,1,system:masters\n`);
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/** What `npm start`, the unit and the image give Node. */
export const NODE_FLAGS = ['--v8-pool-size=1'];

/** Starts the real server as a process of its own and does not wait for it. */
export function spawnServer(directory, port = 0, more = []) {
  const flags = ['--data-dir', directory, '--secure-port', port, '--token-auth-file', join(directory, 'tokens.csv')];
  return spawn(process.execPath, [...NODE_FLAGS, COMMAND, ...flags, ...more], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Resolves with the port when the server says that it is ready. */
export function readyLine(child) {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (part) => {
      text += part;
      const port = /ready at https:\/\/[^\s]+:(\d+)/.exec(text)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
    child.once('exit', () => reject(new Error('the server ended before it was ready')));
  });
}

/** Starts the bare server with the certificates of a data directory. */
export async function startFloor(directory) {
  const pki = (name) => join(directory, 'pki', name);
  const store = join(directory, 'floor');
  mkdirSync(store, { recursive: true });
  const child = fork(FLOOR, [pki('apiserver.key'), pki('apiserver.crt'), pki('ca.crt'), store], {
    serialization: 'advanced',
    execArgv: NODE_FLAGS,
  });
  const [{ port }] = await once(child, 'message');
  return {
    pid: child.pid,
    port,
    async answerWith(answer) {
      child.send(answer);
      await once(child, 'message');
    },
    stop: () => stop(child),
  };
}

/** The server under test, with more flags where wanted, and the floor beside it. */
export async function startPlanes(more = []) {
  const data = makeDataDir();
  const child = spawnServer(data.directory, 0, more);
  const port = await readyLine(child);
  const floor = await startFloor(data.directory);
  const ca = readFileSync(join(data.directory, 'pki', 'ca.crt'));
  return {
    ours: {
      pid: child.pid,
      port,
      call: (method, path, body, headers) => call({ port, ca, method, path, headers }, body),
    },
    floor,
    async stop() {
      await Promise.all([stop(child), floor.stop()]);
      data.remove();
    },
  };
}

/** Calls the server of a data directory. */
export function caller(directory, port) {
  const ca = readFileSync(join(directory, 'pki', 'ca.crt'));
  return (method, path, body, headers) => call({ port, ca, method, path, headers }, body);
}

/** One request to the server, outside of what is measured. */
async function call({ port, ca, method, path, headers = JSON_HEADERS }, document) {
  const sent = request({ host: '127.0.0.1', port, ca, method, path, headers, agent: false });
  sent.end(document === undefined ? undefined : JSON.stringify(document));
  const [response] = await once(sent, 'response');
  const body = Buffer.concat(await response.toArray());
  if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${body}`);
  return { status: response.statusCode, headers: sentHeaders(response.headers), body };
}

const ADDED_BY_NODE = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']);

const sentHeaders = (headers) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ADDED_BY_NODE.has(name)));
