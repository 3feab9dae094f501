/**
 * What 1,000 fake nodes with 10,000 fake pods cost: CPU seconds of the whole process, server and all, per minute of
 * heartbeats. `node bench/stages.mjs [nodes] [pods] [seconds]`, after a build.
 */
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { Pod } from '../dist/client/index.js';
import { startTestPlane } from '../dist/testing/index.js';

const [nodes = 1_000, pods = 10_000, seconds = 60] = process.argv.slice(2).map(Number);
const AT_ONCE = 16;
const MOST_SECONDS = 600;

const plane = await startTestPlane({ controllers: ['*'] });
const cpuSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

const started = [performance.now(), cpuSeconds()];
const since = ([time, cpu]) =>
  `${((performance.now() - time) / 1000).toFixed(1)} s, ${(cpuSeconds() - cpu).toFixed(1)} s of CPU`;
await plane.stages({ nodes });
console.log(`${nodes} nodes are ready: ${since(started)}`);

const { name: namespace } = await plane.namespace();
const client = plane.client.of(Pod).inNamespace(namespace);
const begun = [performance.now(), cpuSeconds()];
let made = 0;
const make = async () => {
  for (let number = made++; number < pods; number = made++) {
    await client.create({
      metadata: { name: `pod-${number}` },
      spec: { containers: [{ name: 'main', image: 'busybox' }] },
    });
  }
};
await Promise.all(Array.from({ length: AT_ONCE }, make));
console.log(`${pods} pods are made: ${since(begun)}`);

const isReady = ({ status }) => status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
const informer = await client.informer();
for (let round = 0; informer.store.list().filter(isReady).length < pods; round++) {
  if (round === MOST_SECONDS) throw new Error(`not all pods are ready after ${MOST_SECONDS} s`);
  await pause(1_000);
}
informer.close();
console.log(`all of them are ready: ${since(begun)}`);

await pause(5_000);
const [time, cpu] = [performance.now(), cpuSeconds()];
await pause(seconds * 1000);
const minutes = (performance.now() - time) / 60_000;
const perMinute = (cpuSeconds() - cpu) / minutes;
console.log(
  `heartbeats: ${perMinute.toFixed(2)} CPU seconds a minute, ${((perMinute / 60) * 100).toFixed(1)} % of one core`,
);
console.log(`load ${loadavg()[0].toFixed(2)}, resident ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB`);
await plane.stop();
