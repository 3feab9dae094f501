import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../dist/index.js';
import { configMap } from './objects.mjs';

/** What policies cost the creation of a config map: none, fifty that are about something else, one that is about it. */
const ROUNDS = Number(process.env.ROUNDS ?? 30);
const TURN = 200;
const HEADERS = { authorization: 'Bearer bench', 'content-type': 'application/json' };
const GROUP = '/apis/admissionregistration.platform.io/v1';

async function post(server, target, object) {
  const body = JSON.stringify(object);
  const answer = await server.inject({ method: 'POST', target, headers: HEADERS, body });
  if (answer.status !== 201) throw new Error(`${target}: ${answer.status} ${answer.body}`);
}

async function enforce(server, name, resources) {
  const rule = { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources };
  const spec = {
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression: "object.metadata.name != 'forbidden' && object.data.size() < 100" }],
  };
  await post(server, `${GROUP}/validatingadmissionpolicies`, { metadata: { name }, spec });
  const binding = { policyName: name, validationActions: ['Deny'] };
  await post(server, `${GROUP}/validatingadmissionpolicybindings`, { metadata: { name }, spec: binding });
}

let made = 0;

/** Microseconds of processor time for one creation. */
async function cpuOf(server) {
  const before = process.cpuUsage();
  for (let at = 0; at < TURN; at++) {
    await post(server, '/api/v1/namespaces/default/configmaps', configMap(`made-${made++}`, '0'));
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / TURN;
}

const median = (figures) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)];

const directory = mkdtempSync(join(tmpdir(), 'platform-bench-'));
const tokenAuthFile = join(directory, 'tokens.csv');
writeFileSync(tokenAuthFile, 'bench,bench,1,system:masters\n');
const featureGates = ['ValidatingAdmissionPolicy=true'];
const start = () => startServer({ store: 'memory', port: 0, tokenAuthFile, featureGates });
const sides = { none: await start(), fifty: await start(), one: await start() };
try {
  for (let at = 0; at < 50; at++) await enforce(sides.fifty, `policy-${at}`, ['secrets', 'pods']);
  await enforce(sides.one, 'policy', ['configmaps']);
  const spent = { none: [], fifty: [], one: [] };
  for (let round = -5; round < ROUNDS; round++) {
    const order = Object.entries(sides);
    // None is always the first.
    for (const [side, server] of [...order.slice(round % 3), ...order.slice(0, round % 3)]) {
      const figure = await cpuOf(server);
      if (round >= 0) spent[side].push(figure);
    }
  }
  const none = median(spent.none);
  const more = (side) => median(spent[side].map((figure, at) => figure - spent.none[at]));
  console.log(`a create without policies: ${none.toFixed(1)} µs`);
  console.log(
    `fifty that do not match:   ${more('fifty').toFixed(1)} µs more, ${((more('fifty') / none) * 100).toFixed(1)} %`,
  );
  console.log(`one that matches:          ${more('one').toFixed(1)} µs more`);
} finally {
  await Promise.all(Object.values(sides).map((server) => server.close()));
  rmSync(directory, { recursive: true });
}
