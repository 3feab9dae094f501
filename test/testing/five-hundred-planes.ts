import { expect, it } from 'vitest';

/** See five-hundred-planes.mjs. The planes are those of the package as it is built, which is what users have. */

type Testing = typeof import('../../src/testing/index.ts');
type Client = typeof import('../../src/client/index.ts');
const built = (path: string) => import(new URL(`../../dist/${path}/index.js`, import.meta.url).href);
const { startTestPlane }: Testing = await built('testing');
const { ConfigMap }: Client = await built('client');

const TESTS = Number(process.env.PLANES ?? 500);

/** Looked at after each tenth of the tests. */
const held: number[] = [];

/** What a plane that has stopped may leave behind, in bytes: code that is compiled later, and growing tables of the engine. */
const LEFT_BY_EACH = 20_000;
/** And all of them together: the engine decides by itself when to give up what it has compiled. */
const LEFT_BY_ALL = 4 * 2 ** 20;

/** Ports, connections and files that are open, by kind. The runner has pipes of its own. */
const openHandles = () => process.getActiveResourcesInfo().filter((kind) => /^(TCP|TLS|UDP|Process|FS)/.test(kind));
const before = openHandles();

function heldBytes(): number {
  if (!globalThis.gc) throw new Error('memory can be looked at with --expose-gc alone');
  for (let time = 0; time < 3; time++) globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

it.each(Array.from({ length: TESTS }, (_, index) => index + 1))('test %i has a plane of its own', async (number) => {
  const plane = await startTestPlane();
  try {
    const { name } = await plane.namespace();
    const maps = plane.client.of(ConfigMap).inNamespace(name);
    expect((await maps.list({ labelSelector: 'test' })).items).toEqual([]);
    await maps.create({ metadata: { name: 'mine', labels: { test: String(number) } } });
    const { items } = await plane.client.of(ConfigMap).list({ labelSelector: 'test' });
    expect(items.map(({ metadata }) => metadata.labels?.test)).toEqual([String(number)]);
  } finally {
    await plane.stop();
  }
  if (number % Math.floor(TESTS / 10) === 0) held.push(heldBytes());
});

it('nothing stays open, and memory is flat', async () => {
  await expect.poll(openHandles, { timeout: 30_000 }).toEqual(before);
  console.log(`MB held after each tenth: ${held.map((bytes) => (bytes / 2 ** 20).toFixed(1)).join(', ')}`);
  // What is compiled and kept once is there after the first tenths.
  const [settled = 0] = held.slice(2);
  expect((held.at(-1) ?? 0) - settled).toBeLessThan(LEFT_BY_ALL + TESTS * LEFT_BY_EACH);
});
