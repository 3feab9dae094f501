import { setTimeout as sleep } from 'node:timers/promises';
import { anonymousMegabytesOf, residentMegabytesOf, stop } from './child.mjs';
import { measure } from './measure.mjs';
import { makeDataDir, readyLine, spawnServer } from './planes.mjs';
import { workloads } from './workloads.mjs';

/**
 * What explanations and the console cost whoever does not ask for them: memory of a fresh server, and processor time of
 * requests, with both and without. `node bench/explaining.mjs [idle|requests]`
 */
const STARTS = 5;
/** The engine collects what a start leaves behind some time later. */
const IDLE_MS = 45_000;
const PAIRS = 3;
const WORKLOADS = ['get configmap', 'create configmap'];
const WAYS = {
  with: [],
  without: ['--runtime-config=explain.platform.io/v1alpha1=false', '--enable-console=false'],
};

const medianOf = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const figuresOf = (values) => `${medianOf(values).toFixed(1)} (${values.map((value) => value.toFixed(1)).join(', ')})`;

async function idleOnce(flags) {
  const data = makeDataDir();
  const child = spawnServer(data.directory, 0, flags);
  await readyLine(child);
  await sleep(IDLE_MS);
  const result = { anonymous: anonymousMegabytesOf(child.pid), resident: residentMegabytesOf(child.pid) };
  await stop(child);
  data.remove();
  return result;
}

/** In turn, so that whatever else the machine does meets both. */
async function inTurn(times, once) {
  const results = { with: [], without: [] };
  for (let at = 0; at < times; at++) {
    const order = at % 2 === 0 ? ['with', 'without'] : ['without', 'with'];
    for (const way of order) results[way].push(await once(WAYS[way]));
  }
  return results;
}

async function measureIdle() {
  const results = { with: [], without: [] };
  for (let at = 0; at < STARTS; at++) {
    const pair = await Promise.all([idleOnce(WAYS.with), idleOnce(WAYS.without)]);
    results.with.push(pair[0]);
    results.without.push(pair[1]);
  }
  for (const [way, all] of Object.entries(results)) {
    for (const figure of ['anonymous', 'resident']) {
      console.log(`${way}: ${figure} ${figuresOf(all.map((one) => one[figure]))} MB`);
    }
  }
}

async function measureRequests() {
  for (const name of WORKLOADS) {
    const found = workloads.find((workload) => workload.name === name);
    const workload = { ...found, protocols: ['h1'] };
    const micros = async (flags) => {
      const [{ ours }] = await measure(workload, { rounds: 3, seconds: 2, warmth: 1, flags });
      return medianOf(ours.map(({ cpuMicros }) => cpuMicros));
    };
    const results = await inTurn(PAIRS, micros);
    for (const [way, all] of Object.entries(results)) console.log(`${name} ${way}: ${figuresOf(all)} µs`);
  }
}

const wanted = process.argv[2];
if (wanted !== 'requests') await measureIdle();
if (wanted !== 'idle') await measureRequests();
