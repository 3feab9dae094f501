import { setTimeout as sleep } from 'node:timers/promises';
import { residentMegabytesOf } from './child.mjs';
import { Generator } from './load.mjs';
import { configMap } from './objects.mjs';
import { AUTHORIZATION, startPlanes } from './planes.mjs';
import { median } from './report.mjs';

const MAPS = '/api/v1/namespaces/bench/configmaps';
const SETTLE_MS = 6000;
const STREAMS = { h1: 1, h2: 200 };
/** What waits for the watcher that does not read: more than connections hold, less than it is cut off for. */
const NOISE = { path: '/api/v1/namespaces/noise/configmaps', events: 12, filling: 'x'.repeat(900_000) };

/** Memory of idle watchers, the time until the last of them has an event, and the same beside one that never reads. */
export async function measureWatchers(protocol, { count, events }) {
  const planes = await startPlanes();
  const generator = new Generator();
  try {
    const { ours, floor } = planes;
    await ours.call('POST', '/api/v1/namespaces', { metadata: { name: 'bench' } });
    const created = await ours.call('POST', MAPS, configMap('watched', '0'));
    await floor.answerWith({ ...created, frame: Buffer.from(`{"type":"MODIFIED","object":${created.body}}\n`) });
    const request = { method: 'GET', path: await watchFromNow(ours), headers: AUTHORIZATION };
    const job = { protocol, connections: Math.ceil(count / STREAMS[protocol]), streams: STREAMS[protocol], request };
    const bare = await kilobytesEach(generator, floor, job, count);
    await generator.ask('unwatch');
    const own = await kilobytesEach(generator, ours, job, count);
    const alone = await fanOut(generator, ours, count, events);
    await neglect(generator, ours, job);
    const beside = await fanOut(generator, ours, count, events);
    return [
      {
        what: `resident for each of ${count} idle watchers`,
        value: own,
        unit: 'KB',
        most: protocol === 'h2' ? 12 : undefined,
      },
      { what: 'of a bare server', value: bare, unit: 'KB' },
      { what: 'beyond a bare server', value: own - bare, unit: 'KB', most: 12 },
      { what: 'one event to all of them', value: alone, unit: 'ms' },
      {
        what: 'the same beside one that never reads',
        value: beside,
        unit: 'ms',
        most: Math.max(2 * alone, alone + 50),
      },
    ];
  } finally {
    generator.stop();
    await planes.stop();
  }
}

async function kilobytesEach(generator, { pid, port }, job, count) {
  // A first one, and a moment, so that what only the first costs is not counted.
  await generator.ask('watch', { ...job, port, connections: 1, streams: 1 });
  await generator.ask('unwatch');
  await sleep(SETTLE_MS);
  const before = residentMegabytesOf(pid);
  await generator.ask('watch', { ...job, port });
  await sleep(SETTLE_MS);
  return ((residentMegabytesOf(pid) - before) * 1024) / count;
}

/** The median time from a change until everyone has been told. */
async function fanOut(generator, ours, count, events) {
  const times = [];
  for (let at = 0; at < events; at++) {
    const told = generator.ask('expect', { count });
    const begun = performance.now();
    await change(ours, `told ${at} ${begun}`);
    await told;
    times.push(performance.now() - begun);
  }
  return median(times);
}

/** Opens a watch of all namespaces that is never read, and has much happen where nobody else looks. */
async function neglect(generator, ours, job) {
  await ours.call('POST', '/api/v1/namespaces', { metadata: { name: 'noise' } });
  await ours.call('POST', NOISE.path, { metadata: { name: 'noise' } });
  const path = (await watchFromNow(ours)).replace('/namespaces/bench', '');
  await generator.ask('stall', { ...job, port: ours.port, request: { ...job.request, path } });
  for (let at = 0; at < NOISE.events; at++) {
    const data = { at: String(at), filling: NOISE.filling };
    await ours.call('PUT', `${NOISE.path}/noise`, { metadata: { name: 'noise' }, data });
  }
}

const change = (ours, serial) => ours.call('PUT', `${MAPS}/watched`, configMap('watched', serial));

async function watchFromNow(ours) {
  const { body } = await ours.call('GET', `${MAPS}?limit=1`);
  return `${MAPS}?watch=1&resourceVersion=${JSON.parse(body).metadata.resourceVersion}`;
}
