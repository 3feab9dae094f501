import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../../src/client/config.ts';
import { type Client, http1Client } from '../support/client.ts';
import { type Command, endCommands, startCommand } from '../support/command.ts';
import { makeDirectory, removeDirectory } from '../support/temporary-directory.ts';
import { openWatch } from '../support/watch.ts';
import { memoryOf } from './memory-of.ts';

export interface Soak {
  readonly writers: number;
  readonly objects: number;
  readonly seconds: number;
  /** How far back a watch resumes at the end. */
  readonly backSeconds: number;
}

export interface SoakFigures {
  readonly writes: number;
  readonly idle: number;
  /** Megabytes that are not backed by a file: the most there were, and a minute after history has passed. */
  readonly most: number;
  readonly afterwards: number;
  /** Of a GET beside the writers, in milliseconds. */
  readonly p99: number;
  /** Versions that were acknowledged after the watch's start, and those of them that it did not show. */
  readonly expected: number;
  readonly missing: number;
}

const PATH = '/api/v1/namespaces/default/configmaps';
const FILLING = 'x'.repeat(1_600);
const RETENTION_SECONDS = 300;

/** Acknowledged versions, in the order of their answers. */
interface Acknowledged {
  readonly at: number;
  readonly version: number;
}

/** Many write over the same objects for long; then a watch goes back in time and must be shown every version since. */
export async function soak({ writers, objects, seconds, backSeconds }: Soak): Promise<SoakFigures> {
  const directory = await makeDirectory();
  try {
    const command = startCommand(directory);
    await command.ready();
    const connection = await command.connection();
    const admin = http1Client(connection);
    for (let at = 0; at < objects; at++) await admin.request('POST', PATH, document(at, 0));
    await sleep(3_000);
    const idle = memoryOf(command.pid).anonymous;
    const stopped = Date.now() + seconds * 1_000;
    const acknowledged: Acknowledged[] = [];
    let most = 0;
    const sampling = setInterval(() => {
      most = Math.max(most, memoryOf(command.pid).anonymous);
    }, 500);
    const reading = readBeside(connection, stopped);
    await Promise.all(
      Array.from({ length: writers }, (_, writer) =>
        write(connection, writer, writers, objects, stopped, acknowledged),
      ),
    );
    clearInterval(sampling);
    const waits = await reading;
    const shown = await resumed(connection, acknowledged, Date.now() - backSeconds * 1_000);
    const afterwards = await later(command);
    admin.close();
    return { writes: acknowledged.length, idle, most, afterwards, p99: percentile(waits, 0.99), ...shown };
  } finally {
    await endCommands();
    await removeDirectory(directory);
  }
}

const document = (at: number, serial: number) => ({
  metadata: { name: `soaked-${at}` },
  data: { serial: String(serial), filling: FILLING },
});

async function write(
  connection: Connection,
  writer: number,
  writers: number,
  objects: number,
  stopped: number,
  acknowledged: Acknowledged[],
): Promise<void> {
  const client = http1Client(connection);
  for (let serial = 1; Date.now() < stopped; serial++) {
    const at = (writer + serial * writers) % objects;
    const { status, body } = await client.request(
      'PUT',
      `${PATH}/soaked-${at}`,
      document(at, serial * writers + writer),
    );
    if (status === 200) acknowledged.push({ at: Date.now(), version: Number(body.metadata.resourceVersion) });
    else if (status !== 429 && status !== 409) throw new Error(`a write was answered with ${status}`);
  }
  client.close();
}

async function readBeside(connection: Connection, stopped: number): Promise<number[]> {
  const client: Client = http1Client(connection);
  const waits: number[] = [];
  while (Date.now() < stopped) {
    const began = performance.now();
    await client.request('GET', `${PATH}/soaked-0`);
    waits.push(performance.now() - began);
    await sleep(10);
  }
  client.close();
  return waits;
}

/** Resumes from the last version that was acknowledged before a moment, and looks for each one since. */
async function resumed(connection: Connection, acknowledged: readonly Acknowledged[], from: number) {
  const start = acknowledged.findLast(({ at }) => at <= from) ?? acknowledged[0];
  if (!start) throw new Error('nothing was written');
  const expected = new Set(acknowledged.map(({ version }) => version).filter((version) => version > start.version));
  const total = expected.size;
  const watch = await openWatch(connection, `${PATH}?watch=1&resourceVersion=${start.version}`);
  const last = Math.max(...expected);
  for (let seen = 0; seen < last; ) {
    const { object } = await watch.next();
    seen = Number(object.metadata.resourceVersion);
    expected.delete(seen);
  }
  watch.close();
  return { expected: total, missing: expected.size };
}

async function later({ pid }: Command): Promise<number> {
  await sleep((RETENTION_SECONDS + 60) * 1_000);
  return memoryOf(pid).anonymous;
}

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * part)] ?? 0;
}
