// The long form of leader-histories.test.ts: `npm run leader-histories -- SEEDS [--from 1] [--minutes 60]`.

import { parseArgs } from 'node:util';
import { loadBattery } from '../support/battery.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { from: { type: 'string', default: '1' }, minutes: { type: 'string', default: '60' } },
});
const [seeds = '1000'] = positionals;
const { simulateLeaders, emptyLeaderTally } = await loadBattery('leading/leader-history.ts');

const first = Number(values.from);
const tally = emptyLeaderTally();
let failures = 0;
for (let seed = first; seed < first + Number(seeds); seed++) {
  await simulateLeaders(seed, Number(values.minutes), tally).catch((error) => {
    failures++;
    console.error(error.message);
  });
}
console.log(`${seeds} seeds from ${first}, ${values.minutes} simulated minutes each, ${failures} failures`, tally);
process.exitCode = failures === 0 ? 0 : 1;
