import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { snapshot } from '../src/cli/snapshot.ts';
import { type Client, http2Client } from './support/client.ts';
import { endCommands, runCommand, startCommand } from './support/command.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const WRITERS = 8;

let directory: string;
const run = (...args: string[]) => runCommand(directory, 'snapshot', ...args);

beforeAll(async () => {
  directory = await makeDirectory();
});

afterAll(async () => {
  await endCommands();
  await removeDirectory(directory);
});

interface Change {
  readonly revision: number;
  readonly name: string;
  /** Undefined when the object was deleted. */
  readonly value: string | undefined;
}

/** Creates, changes and deletes objects of its own until told to stop; returns every change that was acknowledged. */
async function writeUntil(client: Client, writer: number, stopped: () => boolean): Promise<Change[]> {
  const changes: Change[] = [];
  const name = `writer-${writer}`;
  for (let i = 0; !stopped(); i++) {
    const value = String(i);
    if (i % 5 === 4) {
      await client.request('DELETE', `${maps}/${name}`);
      continue;
    }
    const document = { metadata: { name }, data: { value } };
    const answer =
      i % 5 === 0
        ? await client.request('POST', maps, document)
        : await client.request('PUT', `${maps}/${name}`, document);
    expect([200, 201]).toContain(answer.status);
    changes.push({ revision: Number(answer.body.metadata.resourceVersion), name, value });
  }
  return changes;
}

const listed = async (client: Client) => (await client.request('GET', maps)).body;

/** What the writers had, by name, at a revision that the server still has. */
async function valuesAt(client: Client, revision: number): Promise<Map<string, string | undefined>> {
  const { body } = await client.request('GET', `${maps}?resourceVersion=${revision}&resourceVersionMatch=Exact`);
  return new Map(body.items.map(({ metadata, data }) => [metadata.name, data?.value]));
}

describe('a snapshot', () => {
  it('taken amid writes is the state at its revision, and a store made from it goes on above all that was seen', async () => {
    const server = startCommand(directory, '--data-dir=first');
    await server.ready();
    const client = http2Client(await server.connection('first'));
    // Writers may all be between deleting and creating at once.
    for (const name of ['stays', 'stays-too']) await client.request('POST', maps, { metadata: { name } });
    let stopped = false;
    const writers = Array.from({ length: WRITERS }, (_, i) => writeUntil(client, i, () => stopped));
    await expect.poll(async () => (await listed(client)).items.length).toBeGreaterThan(2);
    const saved = await run('save', 'saved.snapshot', '--data-dir=first');
    expect(saved).toMatchObject({ code: 0, stderr: '' });
    const revision = Number(/as of revision (\d+) to saved\.snapshot\n$/.exec(saved.stdout)?.[1]);
    // The writers go on until something was written after it, however slow they are.
    await expect
      .poll(async () => Math.max(...(await listed(client)).items.map((item) => Number(item.metadata.resourceVersion))))
      .toBeGreaterThan(revision);
    stopped = true;
    const changes = (await Promise.all(writers)).flat();
    expect(changes.some((change) => change.revision < revision)).toBe(true);
    expect(changes.some((change) => change.revision > revision)).toBe(true);
    const expected = await valuesAt(client, revision);
    expect(expected.size).toBeGreaterThan(1);
    const last = Number((await listed(client)).metadata.resourceVersion);
    client.close();

    expect(await run('restore', 'saved.snapshot', '--data-dir=second')).toMatchObject({ code: 0, stderr: '' });
    const restored = startCommand(directory, '--data-dir=second');
    await restored.ready();
    const second = http2Client(await restored.connection('second'));
    const { items } = await listed(second);
    expect(new Map(items.map(({ metadata, data }) => [metadata.name, data?.value]))).toEqual(expected);
    const { body } = await second.request('POST', maps, { metadata: { name: 'later' } });
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(last);
    for (const seen of [revision - 1, revision, last]) {
      const watch = await second.request('GET', `${maps}?watch=true&resourceVersion=${seen}`);
      expect(watch.body).toMatchObject({ code: 410, reason: 'Expired' });
    }
    second.close();
  });

  it('tells what it holds', async () => {
    const { code, stdout } = await run('inspect', 'saved.snapshot');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^vocabulary {2}platform\nrevision {4}\d+\ncreated {5}\S+Z\nobjects {5}\d+\n/);
    expect(stdout).toMatch(/ \d+ {2}configmaps\n/);
    expect(stdout).toMatch(/\nthe checksum is right\n$/);
  });

  it('is refused in one clear line where it does not fit', async () => {
    const bytes = await readFile(join(directory, 'saved.snapshot'));
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    await writeFile(join(directory, 'damaged.snapshot'), bytes);
    await writeFile(join(directory, 'other.txt'), 'something else altogether\n');
    await mkdir(join(directory, 'empty'));
    const at = (name: string) => join(directory, name);
    const refusals: [string[], RegExp][] = [
      [
        ['restore', at('saved.snapshot'), '--data-dir', at('second')],
        /second\/store is not empty: move it away first$/,
      ],
      [['restore', at('damaged.snapshot'), '--data-dir', at('third')], /damaged\.snapshot is damaged: its content is/],
      [['restore', at('saved.snapshot'), '--vocabulary=kubernetes'], /is written in the vocabulary platform, not in/],
      [['restore', at('other.txt'), '--data-dir', at('third')], /other\.txt is not a snapshot/],
      [['inspect', at('nowhere')], /^cannot read \S+nowhere: /],
      [['save', at('empty.snapshot'), '--data-dir', at('empty')], /^there is no store in \S+empty\/store$/],
      [['save'], /needs save, restore or inspect, and one FILE/],
    ];
    for (const [args, message] of refusals) {
      const told = await snapshot(args).catch((error: Error) => error.message);
      expect(told).toMatch(message);
      expect(told).not.toMatch(/\n/);
    }
    const { code, stdout, stderr } = await run('restore', 'saved.snapshot', '--data-dir=second');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^platform-apiserver: second[^\n]+\n$/);
  });

  it('that is refused leaves no store behind', async () => {
    expect(await run('restore', 'saved.snapshot', '--data-dir=third')).toMatchObject({ code: 0 });
  });
});
