// The long form of informer-histories.test.ts: `npm run informer-histories -- SEEDS [--from 1] [--hours 2]`.

import { parseArgs } from 'node:util';
import { loadBattery } from '../support/battery.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { from: { type: 'string', default: '1' }, hours: { type: 'string', default: '2' } },
});
const [seeds = '1000'] = positionals;
const { simulateInformer, emptyTally } = await loadBattery('informing/informer-history.ts');

const first = Number(values.from);
const tally = emptyTally();
let failures = 0;
for (let seed = first; seed < first + Number(seeds); seed++) {
  await simulateInformer(seed, Number(values.hours), tally).catch((error) => {
    failures++;
    console.error(error.message);
  });
}
console.log(`${seeds} seeds from ${first}, ${values.hours} simulated hours each, ${failures} failures`, tally);
process.exitCode = failures === 0 ? 0 : 1;
