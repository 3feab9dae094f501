import { spawnSync } from 'node:child_process';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Client, http2Client } from './support/client.ts';
import { type Command, endCommands, runCommand, startCommand } from './support/command.ts';
import { PATIENCE_MS } from './support/patience.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const text = 'x'.repeat(200_000);

let workshop: string;

beforeAll(async () => {
  workshop = await makeDirectory();
});

afterEach(endCommands);
afterAll(() => removeDirectory(workshop));

async function start(...flags: string[]): Promise<{ command: Command; client: Client }> {
  const command = startCommand(workshop, ...flags);
  await command.ready();
  const dataDir = flags.find((flag) => flag.startsWith('--data-dir='))?.slice('--data-dir='.length);
  return { command, client: http2Client(await command.connection(dataDir)) };
}

const create = (client: Client, name: string, value = text) =>
  client.request('POST', maps, { metadata: { name }, data: { value } });

/** Creates until it is refused; the names of those that were not, and the refusal. */
async function fill(client: Client) {
  const names: string[] = [];
  for (let i = 0; ; i++) {
    const answer = await create(client, `full-${i}`);
    if (answer.status !== 201) return { names, answer };
    names.push(`full-${i}`);
  }
}

const stopped = async (command: Command): Promise<void> => {
  command.signal('SIGTERM');
  expect((await command.exit).code).toBe(0);
};

describe('a store with a quota', () => {
  it('refuses what grows beyond it, says so, and recovers by itself', { timeout: 4 * PATIENCE_MS }, async () => {
    const flags = ['--data-dir=quota', '--storage-quota=3Mi', '--history-retention=1s'];
    const { command, client } = await start(...flags);
    const { names, answer } = await fill(client);
    expect(names.length).toBeGreaterThan(5);
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({ kind: 'Status', reason: 'InternalError' });
    expect(answer.text).toMatch(/more than its quota of 3145728/);
    expect((await client.request('GET', '/readyz')).status).toBe(500);
    expect((await client.request('GET', '/readyz/storage-room')).text).toMatch(/quota/);
    expect((await client.request('GET', '/livez')).status).toBe(200);
    const metrics = (await client.request('GET', '/metrics')).text;
    expect(Number(/^apiserver_storage_used_bytes (\d+)/m.exec(metrics)?.[1])).toBeGreaterThan(3 << 20);

    expect((await client.request('GET', `${maps}/${names[0]}`)).status).toBe(200);
    const [first] = names;
    const labelled = { metadata: { labels: { a: 'b' } } };
    const patched = await client.request('PATCH', `${maps}/${first}`, labelled, {
      'content-type': 'application/merge-patch+json',
    });
    expect(patched.status, patched.text).toBe(200);
    for (const name of names) expect((await client.request('DELETE', `${maps}/${name}`)).status).toBe(200);
    await expect.poll(async () => (await client.request('GET', '/readyz')).status, { timeout: 20_000 }).toBe(200);
    expect((await create(client, 'again')).status).toBe(201);
    await client.close();
    await stopped(command);
  });
});

describe('compact', () => {
  it('gives free pages back to the disk and keeps all objects and versions', { timeout: 4 * PATIENCE_MS }, async () => {
    const flags = ['--data-dir=large', '--history-retention=1s'];
    const before = await start(...flags);
    for (let i = 0; i < 30; i++) await create(before.client, `large-${i}`);
    for (let i = 0; i < 29; i++) await before.client.request('DELETE', `${maps}/large-${i}`);
    await expect
      .poll(
        async () =>
          /^apiserver_version_log_versions (\d+)/m.exec((await before.client.request('GET', '/metrics')).text)?.[1],
        { timeout: 20_000 },
      )
      .toBe('0');
    const { body: last } = await before.client.request('GET', `${maps}/large-29`);
    const refused = await runCommand(workshop, 'compact', '--data-dir=large');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/is in use by process/) });
    await before.client.close();
    await stopped(before.command);

    const file = join(workshop, 'large', 'store', 'data.mdb');
    const { size } = await stat(file);
    await expect
      .poll(() => runCommand(workshop, 'compact', '--data-dir=large'), { timeout: PATIENCE_MS })
      .toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/bytes now/) });
    expect((await stat(file)).size).toBeLessThan(size / 5);
    const { command, client } = await start(...flags);
    expect((await client.request('GET', `${maps}/large-29`)).body).toEqual(last);
    await client.close();
    await stopped(command);
  });
});

const canMount = process.getuid?.() === 0 && spawnSync('mount', ['--version']).status === 0;

describe.runIf(canMount)('a full disk', () => {
  let mounted = '';

  afterEach(async () => {
    await endCommands();
    if (mounted !== '') expect(spawnSync('umount', [mounted]).status).toBe(0);
    mounted = '';
  });

  it('takes deletions, is told of by readyz, lets a server start, and is recovered from', {
    timeout: 4 * PATIENCE_MS,
  }, async (context) => {
    const place = join(workshop, 'small');
    await mkdir(place);
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=40m', 'tmpfs', place]).status !== 0) return context.skip();
    mounted = place;
    const flags = ['--data-dir=small', '--history-retention=1s'];
    const first = await start(...flags);
    await expect.poll(() => readdir(join(place, 'store')), { timeout: 20_000 }).toContain('reserve');
    for (let i = 0; i < 5; i++) expect((await create(first.client, `early-${i}`)).status).toBe(201);
    // Someone else takes all that is left.
    expect(spawnSync('dd', ['if=/dev/zero', `of=${join(place, 'others')}`, 'bs=64k']).status).not.toBe(0);
    const { names, answer } = await fill(first.client);
    expect([500, 503]).toContain(answer.status);
    await expect.poll(async () => (await create(first.client, 'more')).status, { timeout: 20_000 }).toBe(500);
    expect((await create(first.client, 'more')).text).toMatch(/disk of the store is full/);
    expect((await first.client.request('GET', '/readyz')).status).toBe(500);
    expect((await first.client.request('DELETE', `${maps}/early-0`)).status).toBe(200);
    await first.client.close();
    first.command.signal('SIGKILL');
    await first.command.exit;

    const second = await start(...flags);
    expect((await create(second.client, 'more')).text).toMatch(/disk of the store is full/);
    for (const name of [...names, 'early-1', 'early-2']) {
      const deleted = await second.client.request('DELETE', `${maps}/${name}`);
      expect(deleted.status, deleted.text).toBe(200);
    }
    await rm(join(place, 'others'), { force: true });
    await expect
      .poll(async () => (await second.client.request('GET', '/readyz')).status, { timeout: 20_000 })
      .toBe(200);
    expect((await create(second.client, 'at-last')).status).toBe(201);
    await second.client.close();
    await stopped(second.command);
  });
});
