/**
 * `npm run bench:scale`: what many objects and many watchers cost. Prints figures beside their bounds; the exit code is 1
 * when one is missed. `--quick` does a tenth of it.
 */
import { parseArgs } from 'node:util';
import { measureObjects } from './scale-objects.mjs';
import { measureWatchers } from './scale-watchers.mjs';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});
const part = values.quick ? 0.1 : 1;
const wanted = new RegExp(values.only);

const BATTERIES = {
  objects: () => measureObjects({ count: 100_000 * part }),
  'watchers over HTTP/2': () => measureWatchers('h2', { count: 10_000 * part, events: 10 }),
  'watchers over HTTP/1.1': () => measureWatchers('h1', { count: 10_000 * part, events: 10 }),
};

for (const [name, measure] of Object.entries(BATTERIES)) {
  if (!wanted.test(name)) continue;
  console.log(`\n${name}`);
  for (const { what, value, unit, most = Number.POSITIVE_INFINITY } of await measure()) {
    const bound = most === Number.POSITIVE_INFINITY ? '' : ` (at most ${most})`;
    const missed = value > most;
    console.log(`  ${what}: ${value.toFixed(1)} ${unit}${bound}${missed ? ' MISSED' : ''}`);
    if (missed) process.exitCode = 1;
  }
}
