// Many writers over a few objects for a while: what history costs, whether all of it is there, and what is left of it.
// node bench/soak.mjs [seconds] [writers] [objects] [retention seconds] [-- flags of the server]
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stop } from './child.mjs';
import { configMap } from './objects.mjs';
import { AUTHORIZATION, makeDataDir, NODE_FLAGS, readyLine } from './planes.mjs';

const COMMAND = fileURLToPath(new URL('../dist/cli/platform-apiserver.js', import.meta.url));
const PROBER = fileURLToPath(new URL('prober.mjs', import.meta.url));
const MAPS = '/api/v1/namespaces/soak/configmaps';
const [seconds = 60, writers = 64, objects = 1000, retention = 300] = process.argv.slice(2).map(Number);
const flags = process.argv.includes('--') ? process.argv.slice(process.argv.indexOf('--') + 1) : [];

const data = makeDataDir();
const child = spawn(
  process.execPath,
  [
    ...NODE_FLAGS,
    COMMAND,
    `--data-dir=${data.directory}`,
    '--secure-port=0',
    `--token-auth-file=${join(data.directory, 'tokens.csv')}`,
    `--history-retention=${retention}s`,
    ...flags,
  ],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
const agent = new Agent({ keepAlive: true, maxSockets: writers + 2, rejectUnauthorized: false });
const port = await readyLine(child);

function call(method, path, body) {
  return new Promise((resolve, reject) => {
    const headers = { ...AUTHORIZATION, 'content-type': 'application/json' };
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('end', () => resolve({ status: answer.statusCode, text: Buffer.concat(parts).toString() }));
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function memory() {
  const status = readFileSync(`/proc/${child.pid}/status`, 'latin1');
  const of = (name) => Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024);
  return { anonymous: of('RssAnon'), mapped: of('RssFile') };
}

async function metric(name) {
  const { text } = await call('GET', '/metrics');
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
}

/** In the order of revisions; the time is that of the answer. */
const acknowledged = [];
let done = false;

async function write(writer) {
  for (let i = writer; !done; i += writers) {
    const name = `map-${i % objects}`;
    const { status, text } = await call('PUT', `${MAPS}/${name}`, configMap(name, String(i)));
    if (status !== 200 && status !== 201) throw new Error(`${status} ${text}`);
    acknowledged.push({ revision: Number(/"resourceVersion":"(\d+)"/.exec(text)?.[1]), at: performance.now() });
  }
}

/** Reads a watch from a revision until it has told of `last`; all revisions it told of. */
function resume(after, last) {
  return new Promise((resolve, reject) => {
    const seen = [];
    let rest = '';
    const path = `${MAPS}?watch=true&resourceVersion=${after}`;
    const sent = request(
      { host: '127.0.0.1', port, path, headers: AUTHORIZATION, rejectUnauthorized: false },
      (answer) => {
        answer.setEncoding('utf8').on('data', (part) => {
          const lines = (rest + part).split('\n');
          rest = lines.pop();
          for (const line of lines) seen.push(Number(/"resourceVersion":"(\d+)"/.exec(line)?.[1]));
          if (seen.at(-1) < last) return;
          sent.destroy();
          resolve(seen);
        });
        answer.on('end', () => reject(new Error('the watch ended')));
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}

try {
  await call('POST', '/api/v1/namespaces', { metadata: { name: 'soak' } });
  for (let i = 0; i < objects; i++) await call('POST', MAPS, configMap(`map-${i}`, '0'));
  await sleep(5000);
  const idle = memory();
  console.log('idle', idle);
  const begun = performance.now();
  const prober = fork(PROBER, [port, `${MAPS}/map-0`]);
  // Writers stand for other machines: they are not to take processors that the server wants.
  setPriority(constants.priority.PRIORITY_LOW);
  const work = Array.from({ length: writers }, (_, writer) => write(writer));
  let most = 0;
  while (performance.now() - begun < seconds * 1000) {
    await sleep(Math.min(5000, seconds * 250));
    const now = memory();
    most = Math.max(most, now.anonymous);
    console.log(Math.round((performance.now() - begun) / 1000), now, acknowledged.length, {
      history: await metric('apiserver_version_log_history_bytes'),
      versions: await metric('apiserver_version_log_versions'),
    });
  }
  prober.send('enough');
  const [reads] = await once(prober, 'message');
  done = true;
  await Promise.all(work);
  console.log({
    writes: acknowledged.length,
    perSecond: Math.round(acknowledged.length / seconds),
    most,
    above: most - idle.anonymous,
  });
  console.log('reads beside it, in ms', reads);
  const back = Math.min(seconds, retention) * 0.8 * 1000;
  acknowledged.sort((a, b) => a.revision - b.revision);
  const from = acknowledged.find(({ at }) => at > performance.now() - back);
  const expected = acknowledged.map(({ revision }) => revision).filter((revision) => revision > from.revision);
  const resumed = performance.now();
  const seen = await resume(from.revision, expected.at(-1));
  const missing = expected.filter((revision, at) => seen[at] !== revision).length;
  console.log({
    resumedOver: seen.length,
    missing,
    milliseconds: Math.round(performance.now() - resumed),
    ...memory(),
  });
  const listing = performance.now();
  const { status, text } = await call('GET', `${MAPS}?resourceVersion=${from.revision}&resourceVersionMatch=Exact`);
  console.log({ exactList: status, bytes: text.length, milliseconds: Math.round(performance.now() - listing) });
  console.log(`waiting for ${retention} s of history to pass`);
  await sleep(retention * 1000 + Math.max(10_000, retention * 100) + 60_000);
  console.log(
    'one minute after',
    memory(),
    await metric('apiserver_version_log_history_bytes'),
    await metric('apiserver_version_log_versions'),
  );
  await stop(child);
} finally {
  child.kill('SIGKILL');
  agent.destroy();
  data.remove();
}
