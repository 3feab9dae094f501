// What very many definitions of custom kinds take, each of 50 fields and 5 rules: memory, a start with them, one more, and the
// first request to a kind that nobody has asked for yet. node bench/many-kinds.mjs [count]
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSecondsOf, residentMegabytesOf, stop } from './child.mjs';
import { DEFINITIONS, site, siteDefinition } from './custom-objects.mjs';
import { caller, makeDataDir, readyLine, spawnServer } from './planes.mjs';

const count = Number(process.argv[2] ?? 2_000);
const IDLE_MS = 20_000;
const AT_ONCE = 20;
/** So many are added one after the other, or asked for, where each is measured. */
const SINGLE = 20;

/** The definition of the bench once more, under another name. */
const definition = (at) => ({
  ...siteDefinition,
  metadata: { name: `kind${at}s.bench.example.org` },
  spec: { ...siteDefinition.spec, names: { plural: `kind${at}s`, kind: `Kind${at}` } },
});

const pathOf = (at) => `/apis/bench.example.org/v1/kind${at}s`;

async function untilServed(call, at) {
  for (;;) {
    if (await call('GET', pathOf(at)).catch(() => undefined)) return;
    await sleep(5);
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

async function elapsed(work) {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

const data = makeDataDir();
let child = spawnServer(data.directory);
try {
  let call = caller(data.directory, await readyLine(child));
  const add = (at) => call('POST', DEFINITIONS, definition(at));
  for (let at = 0; at < count; at += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - at) }, (_, next) => add(at + next));
    await Promise.all(some);
  }
  await untilServed(call, count - 1);
  await sleep(IDLE_MS);
  const made = residentMegabytesOf(child.pid);
  const before = cpuSecondsOf(child.pid);
  for (let at = count; at < count + SINGLE; at++) {
    await add(at);
    await untilServed(call, at);
  }
  await sleep(1_000);
  console.log({ cpuMsOfOneMore: ((cpuSecondsOf(child.pid) - before) * 1000) / SINGLE });

  await stop(child);
  const begun = performance.now();
  child = spawnServer(data.directory);
  call = caller(data.directory, await readyLine(child));
  const readySeconds = (performance.now() - begun) / 1000;
  const cpuSeconds = cpuSecondsOf(child.pid);
  const cold = [];
  for (let at = 0; at < SINGLE; at++) {
    const object = { ...site('a', 'a'), kind: `Kind${at}` };
    const path = `/apis/bench.example.org/v1/namespaces/default/kind${at}s`;
    cold.push(await elapsed(() => call('POST', path, object)));
  }
  await sleep(IDLE_MS);
  const again = residentMegabytesOf(child.pid);
  console.log({
    megabytesWhenMade: Math.round(made),
    megabytesAfterAStart: Math.round(again),
    readySeconds,
    cpuSeconds,
  });
  console.log({ msOfFirstRequest: median(cold), worst: Math.max(...cold), veryFirst: cold[0] });
} finally {
  await stop(child);
  data.remove();
}
