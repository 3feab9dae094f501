import { setTimeout as pause } from 'node:timers/promises';
import { Pod } from '../dist/client/index.js';
import { startTestPlane } from '../dist/testing/index.js';

const AT_ONCE = 16;
const MOST_SECONDS = 600;

const cpuSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** Seconds on the clock and of the processor that something takes. */
async function timed(work) {
  const [began, before] = [performance.now(), cpuSeconds()];
  await work();
  return { wall: (performance.now() - began) / 1000, cpu: cpuSeconds() - before };
}

const isReady = ({ status }) => status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');

async function makePods(plane, pods) {
  const { name: namespace } = await plane.namespace();
  const client = plane.client.of(Pod).inNamespace(namespace);
  let made = 0;
  const make = async () => {
    for (let number = made++; number < pods; number = made++) {
      const spec = { containers: [{ name: 'main', image: 'busybox' }] };
      await client.create({ metadata: { name: `pod-${number}` }, spec });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, make));
  const informer = await client.informer();
  for (let round = 0; informer.store.list().filter(isReady).length < pods; round++) {
    if (round === MOST_SECONDS) throw new Error(`not all pods are ready after ${MOST_SECONDS} s`);
    await pause(1_000);
  }
  informer.close();
}

/** What fake nodes with fake pods cost the whole process, server and all: to begin with, and while they send heartbeats. */
export async function measureStages({ fakeNodes, fakePods, heartbeatSeconds }) {
  const plane = await startTestPlane({ controllers: ['*'] });
  try {
    const nodes = await timed(() => plane.stages({ nodes: fakeNodes }));
    const pods = await timed(() => makePods(plane, fakePods));
    await pause(5_000);
    const heartbeats = await timed(() => pause(heartbeatSeconds * 1000));
    const megabytes = process.memoryUsage().rss / 2 ** 20;
    return { fakeNodes, fakePods, nodes, pods, share: heartbeats.cpu / heartbeats.wall, megabytes };
  } finally {
    await plane.stop();
  }
}
