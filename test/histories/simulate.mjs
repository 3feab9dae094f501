// The long form of simulation.test.ts: `npm run simulate -- --seeds 10000 [--from 1]`.

import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '10000' }, from: { type: 'string', default: '1' } },
});
const outfile = here('../../node_modules/.cache/simulation.mjs');
await build({
  entryPoints: [here('simulation.ts')],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
});
const { simulate, emptyTally } = await import(outfile);

const first = Number(values.from);
const tally = emptyTally();
let failures = 0;
for (let seed = first; seed < first + Number(values.seeds); seed++) {
  await simulate(seed, tally).catch((error) => {
    failures++;
    console.error(error.message);
  });
}
console.log(`${values.seeds} seeds from ${first}, ${failures} failures`, tally);
process.exitCode = failures === 0 ? 0 : 1;
