import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../dist/index.js';
import { configMap } from './objects.mjs';
import { median } from './report.mjs';

const TURN = 200;
/** A figure is a difference of two, which takes many to see. */
const TURNS_A_ROUND = 6;
/** So many turns each side warms up: until then much of the time goes into compiling what runs. */
const WARM_UP_TURNS = 30;
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

/**
 * Microseconds of processor time for the creation of a config map in this process: without policies, and what fifty that
 * are about something else and one that is about it add.
 */
export async function measurePolicies({ rounds, warmth }) {
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
    for (let round = -Math.ceil(WARM_UP_TURNS * warmth); round < TURNS_A_ROUND * rounds; round++) {
      const order = Object.entries(sides);
      // Each is the first as often as the others.
      const first = (round + order.length * WARM_UP_TURNS) % order.length;
      for (const [side, server] of [...order.slice(first), ...order.slice(0, first)]) {
        const figure = await cpuOf(server);
        if (round >= 0) spent[side].push(figure);
      }
    }
    const more = (side) => median(spent[side].map((figure, at) => figure - spent.none[at]));
    return { none: median(spent.none), fifty: more('fifty'), one: more('one') };
  } finally {
    await Promise.all(Object.values(sides).map((server) => server.close()));
    rmSync(directory, { recursive: true });
  }
}
