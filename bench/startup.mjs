import { once } from 'node:events';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSecondsOf, residentMegabytesOf, stop } from './child.mjs';
import { makeDataDir, readyLine, spawnServer, startFloor } from './planes.mjs';

const BETWEEN_TRIES_MS = 2;

/**
 * Milliseconds from spawning the process to its ready line and to the first good answer of /readyz, and processor time
 * by then; the memory some time later, in the first of several starts.
 */
async function startOnce(directory, idleMs) {
  const port = await freePort();
  const begun = performance.now();
  const child = spawnServer(directory, port);
  const lineMs = readyLine(child).then(() => performance.now() - begun);
  await firstAnswer(port);
  const result = { readyMs: performance.now() - begun, cpuMs: cpuMsOf(child.pid), lineMs: await lineMs };
  const megabytes = await memoryAfter(child.pid, idleMs);
  await stop(child);
  return { ...result, megabytes };
}

const cpuMsOf = (pid) => cpuSecondsOf(pid) * 1000;

async function memoryAfter(pid, idleMs) {
  if (idleMs === 0) return undefined;
  await sleep(idleMs);
  return residentMegabytesOf(pid);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function firstAnswer(port) {
  while (!(await isReady(port))) await sleep(BETWEEN_TRIES_MS);
}

const isReady = (port) =>
  new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', port, path: '/readyz', rejectUnauthorized: false, agent: false });
    asked.on('response', (response) => resolve(response.resume().statusCode === 200));
    asked.on('error', () => resolve(false));
    asked.end();
  });

/** Starts with an empty data directory and again with what that start left, some times over; the floor beside them. */
export async function measureStartup({ starts, idleMs }) {
  const results = { fresh: [], restart: [], floor: [] };
  for (let at = 0; at < starts; at++) {
    const data = makeDataDir();
    const idle = at === 0 ? idleMs : 0;
    results.fresh.push(await startOnce(data.directory, idle));
    results.restart.push(await startOnce(data.directory, idle));
    results.floor.push(await startFloorOnce(data.directory, idle));
    data.remove();
  }
  return results;
}

async function startFloorOnce(directory, idleMs) {
  const begun = performance.now();
  const floor = await startFloor(directory);
  const readyMs = performance.now() - begun;
  const result = { readyMs, cpuMs: cpuMsOf(floor.pid), lineMs: readyMs };
  const megabytes = await memoryAfter(floor.pid, idleMs);
  await floor.stop();
  return { ...result, megabytes };
}
