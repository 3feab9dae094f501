import { writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Connection } from '../src/outbound/config.ts';
import { http1Client, prepare, tlsOptions, withToken } from './support/client.ts';
import { Command, endCommands, startCommand } from './support/command.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';

/** The long form is `MEMORY_CLIENTS=200 MEMORY_ROUNDS=10 npx vitest run test/small-memory.test.ts`. */
const CLIENTS = Number(process.env.MEMORY_CLIENTS ?? 24);
const ROUNDS = Number(process.env.MEMORY_ROUNDS ?? 4);
const MAPS = '/api/v1/namespaces/default/configmaps';
const VALUE = 'v'.repeat(1_000_000);

let directory: string;
let command: Command;

beforeEach(async () => {
  directory = await makeDirectory();
});

afterEach(async () => {
  await endCommands();
  await removeDirectory(directory);
});

/** The status of the answer, whose body is read and dropped. 0: the connection broke. */
function send(connection: Connection, method: string, path: string, body?: unknown): Promise<number> {
  const { bytes, headers } = prepare(connection, method, body, {});
  const { hostname, port } = new URL(connection.server);
  return new Promise((resolve) => {
    const options = { ...tlsOptions(connection), agent: false, hostname, port, path, method, headers };
    const outgoing = request(options, (incoming) => {
      incoming.on('end', () => resolve(incoming.statusCode ?? 0));
      incoming.on('error', () => resolve(0));
      incoming.resume();
    });
    outgoing.on('error', () => resolve(0));
    outgoing.end(bytes);
  });
}

it('a server with little memory refuses what does not fit, goes on, and keeps what it acknowledged', {
  timeout: 600_000,
}, async () => {
  const tokens = join(directory, 'tokens.csv');
  await writeFile(tokens, Array.from({ length: CLIENTS }, (_, at) => `token${at},user${at},${at}\n`).join(''));
  command = startCommand(
    directory,
    '--memory-limit=256MiB',
    `--token-auth-file=${tokens}`,
    '--authorization-mode=AlwaysAllow',
  );
  await command.ready();
  const connection = await command.connection();
  const acknowledged: string[] = [];
  const statuses = new Map<number, number>();
  const count = (status: number): number => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    return status;
  };
  const work = async (at: number): Promise<void> => {
    // A few of them are masters, who are let in for longer.
    const user = at % 8 === 0 ? connection : withToken(connection, `token${at}`);
    const watching: Promise<number>[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const name = `map-${at}-${round}`;
      const status = count(await send(user, 'POST', MAPS, { metadata: { name }, data: { value: VALUE } }));
      if (status === 201) acknowledged.push(name);
      count(await send(user, 'GET', MAPS));
      const watch = send(user, 'GET', `${MAPS}?watch=1&resourceVersion=0&timeoutSeconds=2`);
      // A watcher for which too much waits is cut off, and can resume.
      watching.push(watch.then((status) => (status === 0 ? status : count(status))));
    }
    await Promise.all(watching);
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, at) => work(at)));

  const admin = http1Client(connection);
  try {
    const { text } = await admin.request('GET', '/metrics');
    const [, resident] = /^process_resident_memory_bytes (\S+)$/m.exec(text) ?? [];
    console.log(
      `${acknowledged.length} acknowledged, resident ${(Number(resident) / 2 ** 20).toFixed()} MiB:`,
      statuses,
    );
    expect([...statuses.keys()].filter((status) => ![200, 201, 429].includes(status))).toEqual([]);
    expect(statuses.get(429)).toBeGreaterThan(0);
    expect(acknowledged.length).toBeGreaterThan(0);
    expect((await admin.request('GET', '/readyz')).status).toBe(200);
    for (const name of acknowledged) expect((await admin.request('GET', `${MAPS}/${name}`)).status, name).toBe(200);
    for (const name of acknowledged) expect((await admin.request('DELETE', `${MAPS}/${name}`)).status).toBe(200);
  } finally {
    admin.close();
  }
});

it('a document in YAML takes no more than a part of the limit, whatever heap Node was given', {
  timeout: 120_000,
}, async () => {
  // Says little, and takes much to read.
  const yaml = `metadata: {name: a}\n${'#\n'.repeat(450_000)}`;
  const answerWithin = async (limit: string): Promise<[status: number, text: string]> => {
    command = new Command(['--secure-port=0', `--memory-limit=${limit}`], directory, undefined, [
      '--max-old-space-size=512',
    ]);
    await command.ready();
    const admin = http1Client(await command.connection());
    const { status, text } = await admin.request('POST', MAPS, yaml, { 'content-type': 'application/yaml' });
    admin.close();
    await endCommands();
    return [status, text];
  };
  expect(await answerWithin('256MiB')).toEqual([400, expect.stringContaining('too much memory in YAML')]);
  expect(await answerWithin('4GiB')).toEqual([201, expect.any(String)]);
});
