/**
 * Starts and stops many test planes in one process, each used a little: `node test/testing/many-planes.mjs [PLANES]`. Prints
 * how long it took, what memory did, and what was left open. The short form is in test/testing/many-planes.test.ts.
 */
import { fileURLToPath } from 'node:url';

/** Ports, connections and processes that are open, by kind. */
const openHandles = () => process.getActiveResourcesInfo().filter((kind) => /^(TCP|TLS|UDP|Process|FS)/.test(kind));

/** What is held once nothing is left to collect; 0 when the process cannot be told to. */
function heldBytes() {
  for (let time = 0; time < 3; time++) globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return globalThis.gc ? heapUsed + arrayBuffers : 0;
}

/** One life of a plane as a test has it. */
async function usePlane(startTestPlane, { ConfigMap }) {
  const plane = await startTestPlane();
  try {
    const { name } = await plane.namespace();
    const maps = plane.client.of(ConfigMap).inNamespace(name);
    await maps.create({ metadata: { name: 'a' }, data: { key: 'value' } });
    const { data } = await maps.get('a');
    if (data?.key !== 'value') throw new Error('the plane did not keep what it was given');
  } finally {
    await plane.stop();
  }
}

/** `marks`: after which numbers of planes to look at memory. */
export async function startMany(count, marks, { testing, client }) {
  const held = [];
  const before = openHandles();
  const began = performance.now();
  for (let number = 1; number <= count; number++) {
    await usePlane(testing.startTestPlane, client);
    if (marks.includes(number)) held.push(heldBytes());
  }
  const seconds = (performance.now() - began) / 1000;
  // What was closed in the last turn is gone after one of the next.
  for (let look = 0; look < 500 && openHandles().length > before.length; look++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { seconds, held, before, after: openHandles() };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const count = Number(process.argv[2] ?? 500);
  const testing = await import('../../dist/testing/index.js');
  const client = await import('../../dist/client/index.js');
  const marks = [0.1, 0.25, 0.5, 0.75, 1].map((part) => Math.max(1, Math.round(count * part)));
  const { seconds, held, before, after } = await startMany(count, marks, { testing, client });
  console.log(`${count} planes in ${seconds.toFixed(1)} s, ${((seconds / count) * 1000).toFixed(1)} ms each`);
  console.log(`MB held after ${marks.join(', ')}: ${held.map((bytes) => (bytes / 2 ** 20).toFixed(1)).join(', ')}`);
  console.log(`open before: ${before.join(' ') || 'nothing'}; after: ${after.join(' ') || 'nothing'}`);
}
