// How long it takes until the pods of many owners are gone once the owners are deleted, and how long a read of something
// else takes meanwhile.
// node bench/garbage.mjs [owners] [pods] [Background|Foreground]
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSecondsOf, stop } from './child.mjs';
import { AUTHORIZATION, makeDataDir, readyLine, spawnServer } from './planes.mjs';

const [owners = '100', pods = '10000', policy = 'Background'] = process.argv.slice(2);
const WRITERS = 32;
const BETWEEN_READS_MS = 5;
const CORE = '/api/v1/namespaces/default';

function connect(directory, port) {
  const agent = new Agent({ keepAlive: true, ca: readFileSync(join(directory, 'pki', 'ca.crt')) });
  return (method, path, document) =>
    new Promise((resolve, reject) => {
      const bytes = document === undefined ? '' : JSON.stringify(document);
      const headers = { ...AUTHORIZATION, 'content-type': 'application/json', 'content-length': bytes.length };
      const sent = request({ agent, host: '127.0.0.1', port, method, path, headers }, async (response) => {
        const body = Buffer.concat(await response.toArray()).toString();
        if (response.statusCode < 300 && body !== '') resolve(JSON.parse(body));
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${body}`));
      });
      sent.on('error', reject);
      sent.end(bytes);
    });
}

/** Calls back for each number below `count`, some at a time. */
async function forEach(count, act) {
  let next = 0;
  const work = async () => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: WRITERS }, work));
}

const podOf = (at, { metadata: { name, uid } }) => ({
  metadata: { name: `pod-${at}`, ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid }] },
  spec: { automountServiceAccountToken: false, containers: [{ name: 'main', image: 'registry.example/app:1' }] },
});

/** Reads one object again and again, and tells how long each read took. */
function reading(call) {
  const took = [];
  let isOver = false;
  const done = (async () => {
    while (!isOver) {
      const began = performance.now();
      await call('GET', `${CORE}/configmaps/read`);
      took.push(performance.now() - began);
      await sleep(BETWEEN_READS_MS);
    }
  })();
  // Whoever stops reading is told.
  done.catch(() => undefined);
  return async () => {
    isOver = true;
    await done;
    const sorted = took.sort((a, b) => a - b);
    const at = (part) => Number(sorted[Math.floor(part * (sorted.length - 1))]?.toFixed(1));
    return { reads: sorted.length, p50: at(0.5), p99: at(0.99), longest: at(1) };
  };
}

const data = makeDataDir();
const child = spawnServer(data.directory);
try {
  const call = connect(data.directory, await readyLine(child));
  await call('POST', `${CORE}/configmaps`, { metadata: { name: 'read' } });
  const made = [];
  await forEach(Number(owners), async (at) => {
    made[at] = await call('POST', `${CORE}/configmaps`, { metadata: { name: `owner-${at}` } });
  });
  await forEach(Number(pods), (at) => call('POST', `${CORE}/pods`, podOf(at, made[at % made.length])));
  const before = reading(call);
  await sleep(2000);
  console.log('reads before', await before());
  const end = reading(call);
  const [began, cpu] = [performance.now(), cpuSecondsOf(child.pid)];
  const options = { propagationPolicy: policy };
  await forEach(Number(owners), (at) => call('DELETE', `${CORE}/configmaps/owner-${at}`, options));
  const told = performance.now();
  const left = async () => (await call('GET', `${CORE}/pods?limit=1`)).items.length;
  while ((await left()) > 0) await sleep(20);
  const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(2)} s`;
  console.log(
    `${pods} pods of ${owners} owners (${policy}) gone after ${seconds(began)}, ${seconds(told)} after the last delete`,
  );
  console.log(`processor time of the server: ${(cpuSecondsOf(child.pid) - cpu).toFixed(2)} s`);
  console.log('reads meanwhile', await end());
} finally {
  await stop(child);
  data.remove();
}
