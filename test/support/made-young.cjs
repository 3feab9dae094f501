/**
 * Loaded into a server by Node's --require: on SIGUSR2 it makes what survives, again and again, and then much that does not,
 * and prints how many MB of that were made among what is old.
 */
const { getHeapSpaceStatistics, setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

const oldBytes = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space').space_used_size;
const make = (n) => ({ n, list: [n] });

function makeKept(count) {
  const kept = [];
  for (let n = 0; n < count; n++) kept.push(make(n));
  return kept.length;
}

process.once('SIGUSR2', () => {
  for (let round = 0; round < 6; round++) makeKept(500_000);
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const before = oldBytes();
  for (let n = 0; n < 100_000; n++) globalThis.last = make(n);
  process.stdout.write(`made old: ${Math.round((oldBytes() - before) / 1e6)} MB\n`);
});
