import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../dist/index.js';
import { loadParts } from './bundle.mjs';
import { ACCOUNT, configMap, OWNER, pod } from './objects.mjs';

/** What is created: Pods concern most plugins, ConfigMaps hardly any. */
const CREATIONS = [
  { name: 'configmap', plural: 'configmaps', make: (name) => configMap(name, '0') },
  { name: 'pod', plural: 'pods', make: (name, ownerUid) => pod(name, ownerUid) },
];
/** Created at a time by one side; sides take turns, so that a busy moment of the machine meets both. */
const TURN = 100;
const TURNS = 20;

const HEADERS = { authorization: 'Bearer bench', 'content-type': 'application/json' };

async function post(server, target, object) {
  const { status, body } = await server.inject({
    method: 'POST',
    target,
    headers: HEADERS,
    body: JSON.stringify(object),
  });
  if (status !== 201) throw new Error(`${target}: ${status} ${body}`);
  return JSON.parse(body);
}

/** What objects are created for: the account of the Pods, and what they belong to. */
async function prepare(server) {
  await post(server, '/api/v1/namespaces/default/serviceaccounts', ACCOUNT);
  const { metadata } = await post(server, '/apis/apps/v1/namespaces/default/replicasets', OWNER);
  return { server, ownerUid: metadata.uid };
}

let made = 0;

/** Microseconds of processor time for one creation. */
async function cpuOf({ server, ownerUid }, { plural, make }) {
  const before = process.cpuUsage();
  for (let at = 0; at < TURN; at++) {
    await post(server, `/api/v1/namespaces/default/${plural}`, make(`made-${made++}`, ownerUid));
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / TURN;
}

async function compare(sides, creation, { rounds, warmth }) {
  const figures = { name: creation.name, on: [], off: [], share: [] };
  for (let round = -Math.ceil(5 * warmth); round < rounds; round++) {
    const spent = { on: 0, off: 0 };
    for (let turn = 0; turn < TURNS; turn++) {
      for (const side of ['on', 'off']) spent[side] += (await cpuOf(sides[side], creation)) / TURNS;
    }
    if (round < 0) continue;
    figures.on.push(spent.on);
    figures.off.push(spent.off);
    figures.share.push(1 - spent.off / spent.on);
  }
  return figures;
}

/** What the plugins that are on by default cost a create, by the same server without any, in this process. */
export async function measureAdmission(effort) {
  const { PLUGINS } = await loadParts('admission', `export { PLUGINS } from './src/admission/plugins.ts';`);
  const disableAdmissionPlugins = PLUGINS.filter(({ byDefault }) => byDefault).map(({ name }) => name);
  const directory = mkdtempSync(join(tmpdir(), 'platform-bench-'));
  const tokenAuthFile = join(directory, 'tokens.csv');
  writeFileSync(tokenAuthFile, 'bench,bench,1,system:masters\n');
  const servers = {
    on: await startServer({ store: 'memory', port: 0, tokenAuthFile }),
    off: await startServer({ store: 'memory', port: 0, tokenAuthFile, disableAdmissionPlugins }),
  };
  try {
    const sides = { on: await prepare(servers.on), off: await prepare(servers.off) };
    const results = [];
    for (const creation of CREATIONS) results.push(await compare(sides, creation, effort));
    return results;
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.close()));
    rmSync(directory, { recursive: true });
  }
}
