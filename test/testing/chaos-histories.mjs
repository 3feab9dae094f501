// The long form of chaos-histories.test.ts: `npm run chaos-histories -- SEEDS [--from 1]`.

import { parseArgs } from 'node:util';
import { loadBattery } from '../support/battery.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { from: { type: 'string', default: '1' } },
});
const seeds = Number(positionals[0] ?? '1000');
const first = Number(values.from);
const { compareHistories } = await loadBattery('testing/chaos-history.ts');

let [failures, dealt, entries] = [0, 0, 0];
const digests = new Set();
const began = performance.now();
for (let seed = first; seed < first + seeds; seed++) {
  const { history, difference } = await compareHistories(seed);
  dealt += history.dealt;
  entries += history.entries;
  digests.add(history.digest);
  if (difference !== undefined) {
    failures++;
    console.error(difference);
  }
}
const seconds = Math.round((performance.now() - began) / 1000);
console.log(
  `${seeds} seeds from ${first}, each twice: ${failures} differ; ${digests.size} different histories,`,
  `${entries} requests and events, ${dealt} faults, ${seconds} s`,
);
process.exitCode = failures === 0 ? 0 : 1;
