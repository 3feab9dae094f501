import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSecondsOf, residentMegabytesOf, stop } from './child.mjs';
import { Generator } from './load.mjs';
import { configMap, SERIAL } from './objects.mjs';
import { AUTHORIZATION, caller, makeDataDir, readyLine, spawnServer } from './planes.mjs';

const MAPS = '/api/v1/namespaces/bench/configmaps';
const SETTLE_MS = 4000;

/** A restart with many objects of 2 KB, then what it costs to read them. */
export async function measureObjects({ count }) {
  const data = makeDataDir();
  try {
    await fill(data.directory, count);
    const begun = performance.now();
    const child = spawnServer(data.directory);
    const port = await readyLine(child);
    const loadSeconds = (performance.now() - begun) / 1000;
    const loadCpuSeconds = cpuSecondsOf(child.pid);
    const figures = await readAll({ child, port, directory: data.directory, count });
    await stop(child);
    return [
      { what: `ready again with ${count} objects`, value: loadSeconds, unit: 's', most: 3 },
      // On a busy machine this one still tells what the start itself takes.
      { what: 'processor time for that', value: loadCpuSeconds, unit: 's', most: 3 },
      ...figures,
    ];
  } finally {
    data.remove();
  }
}

async function fill(directory, count) {
  const child = spawnServer(directory);
  const port = await readyLine(child);
  const call = caller(directory, port);
  await call('POST', '/api/v1/namespaces', { metadata: { name: 'bench' } });
  const generator = new Generator();
  const headers = { ...AUTHORIZATION, 'content-type': 'application/json' };
  const body = JSON.stringify(configMap(`stored-${SERIAL}`, '0'));
  const request = { method: 'POST', path: MAPS, headers, body };
  await generator.ask('load', { protocol: 'h1', port, connections: 64, streams: 1, count, request });
  generator.stop();
  await call('POST', MAPS, { ...configMap('chosen', '0'), metadata: { name: 'chosen', labels: { chosen: 'yes' } } });
  await stop(child);
}

async function readAll({ child, port, directory, count }) {
  const call = caller(directory, port);
  const idle = await settled(child.pid);
  const firstSelection = await timed(() => selectChosen(call));
  const selection = await timed(() => selectChosen(call));
  await settled(child.pid);
  const before = residentMegabytesOf(child.pid);
  const sampling = samplePeak(child.pid);
  const pages = await timed(() => listInChunks(call, count));
  const peak = sampling.stop();
  return [
    { what: 'resident when idle', value: idle, unit: 'MB' },
    { what: 'all of them in chunks of 500', value: pages, unit: 'ms' },
    { what: 'memory above idle meanwhile', value: peak - before, unit: 'MB', most: 30 },
    { what: 'one by its label, for the first time', value: firstSelection, unit: 'ms' },
    { what: 'one by its label, from then on', value: selection, unit: 'ms' },
  ];
}

async function selectChosen(call) {
  const { body } = await call('GET', `${MAPS}?labelSelector=chosen`);
  if (JSON.parse(body).items.length !== 1) throw new Error('the selection is not what it should be');
}

async function listInChunks(call, count) {
  let seen = 0;
  let token = '';
  do {
    const { body } = await call('GET', `${MAPS}?limit=500&continue=${token}`);
    const { items, metadata } = JSON.parse(body);
    seen += items.length;
    token = metadata.continue;
  } while (token !== '');
  if (seen < count) throw new Error(`only ${seen} of ${count} objects were listed`);
}

async function timed(action) {
  const begun = performance.now();
  await action();
  return performance.now() - begun;
}

async function settled(pid) {
  await sleep(SETTLE_MS);
  return residentMegabytesOf(pid);
}

function samplePeak(pid) {
  let peak = 0;
  const sample = () => {
    peak = Math.max(peak, residentMegabytesOf(pid));
  };
  const timer = setInterval(sample, 10);
  return {
    stop() {
      clearInterval(timer);
      sample();
      return peak;
    },
  };
}
