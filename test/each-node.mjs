/**
 * `npm run test:nodes`: a short form of the suite on every other supported release of Node, one after the other: what
 * touches Node, the network, the disk and native code. The release that runs this is the one that `npm test` runs on. One
 * that is not in .cache/peers is skipped with a line, unless REQUIRE_PEERS names it (`node-22`).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeIn, PEERS, SUPPORTED_NODES } from './supported-nodes.mjs';

const SHORT_FORM = [
  ...['start', 'resources', 'watch', 'limits', 'protobuf-http', 'connect'].map((name) => `test/${name}.test.ts`),
  ...['client-node', 'reload', 'authentication-certificates'].map((name) => `test/${name}.test.ts`),
  ...['snapshot', 'crash', 'etcd'].map((name) => `test/${name}.test.ts`),
  ...['http', 'pki', 'client/transport', 'client/streams', 'codec', 'storage'].map((folder) => `src/${folder}/`),
];

const root = fileURLToPath(new URL('..', import.meta.url));
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const required = (process.env.REQUIRE_PEERS ?? '').split(',').map((one) => one.trim());

function programOf(major) {
  const fetched = nodeIn(join(PEERS, `node-${major}`));
  return existsSync(fetched) ? fetched : undefined;
}

for (const major of SUPPORTED_NODES) {
  if (process.versions.node.startsWith(`${major}.`)) continue;
  const program = programOf(major);
  if (!program) {
    if (required.includes(`node-${major}`)) throw new Error(`Node ${major} is required (REQUIRE_PEERS) but not here`);
    console.log(`Node ${major} is not here: the short form is not run on it`);
    continue;
  }
  console.log(`Node ${major}: the short form, on ${program}`);
  const args = ['run', '--reporter=dot', ...SHORT_FORM];
  const [code] = await once(spawn(program, [vitest, ...args], { cwd: root, stdio: 'inherit' }), 'close');
  if (code !== 0) process.exitCode = 1;
}
