import { median } from './report.mjs';

const STARTS = 30;
const OBJECTS = 1000;

/** Milliseconds on the clock and of the processor that something takes. */
async function timed(work) {
  const before = process.cpuUsage();
  const began = performance.now();
  const result = await work();
  const wall = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  return { result, wall, cpu: (user + system) / 1000 };
}

const middleOf = (figures) => ({
  wall: median(figures.map(({ wall }) => wall)),
  cpu: median(figures.map(({ cpu }) => cpu)),
});

async function measureStarts(startTestPlane) {
  const starts = [];
  const stops = [];
  for (let start = 0; start <= STARTS; start++) {
    const { result: plane, ...figures } = await timed(() => startTestPlane());
    starts.push(figures);
    stops.push(await timed(() => plane.stop()));
  }
  return { 'first start': starts[0], 'next start': middleOf(starts.slice(1)), stop: middleOf(stops) };
}

const nameOf = (at) => `object-${String(at).padStart(4, '0')}`;

/** With all objects deleted, changed, or made since the snapshot. */
async function measureRestores(plane, { ConfigMap }) {
  const maps = plane.client.of(ConfigMap).inNamespace('default');
  const each = async (act) => {
    for (let at = 0; at < OBJECTS; at += 50)
      await Promise.all(Array.from({ length: 50 }, (_, i) => act(nameOf(at + i))));
  };
  const create = (name) => maps.create({ metadata: { name }, data: { text: 'x'.repeat(500) } });
  const change = (name) => maps.patch(name, { merge: { data: { text: 'y' } } });
  const empty = plane.snapshot();
  await each(create);
  const taking = [];
  for (let time = 0; time < 50; time++) taking.push(await timed(async () => plane.snapshot()));
  const full = plane.snapshot();
  const restoring = { made: [], deleted: [], changed: [], unchanged: [] };
  for (let round = 0; round < 5; round++) {
    restoring.unchanged.push(await timed(() => plane.restore(full)));
    restoring.made.push(await timed(() => plane.restore(empty)));
    restoring.deleted.push(await timed(() => plane.restore(full)));
    await each(change);
    restoring.changed.push(await timed(() => plane.restore(full)));
  }
  const rows = Object.entries(restoring).map(([what, figures]) => [
    `restore, ${OBJECTS} objects ${what} since`,
    middleOf(figures),
  ]);
  return { [`snapshot of ${OBJECTS} objects`]: middleOf(taking), ...Object.fromEntries(rows) };
}

async function measureHour(plane) {
  return { 'an hour of a manual clock': await timed(() => plane.advance('1h')) };
}

async function withPlane(starting, measure) {
  const plane = await starting;
  try {
    return await measure(plane);
  } finally {
    await plane.stop();
  }
}

/** What a test pays for a plane: start, stop, snapshot, restore, an hour of a manual clock. In milliseconds. */
export async function measureTestPlane() {
  const { startTestPlane } = await import('../dist/testing/index.js');
  const client = await import('../dist/client/index.js');
  return {
    ...(await measureStarts(startTestPlane)),
    ...(await withPlane(startTestPlane(), (plane) => measureRestores(plane, client))),
    ...(await withPlane(startTestPlane({ clock: 'manual' }), measureHour)),
  };
}
