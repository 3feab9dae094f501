import { access, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemRuntime as runtime } from '../src/runtime/runtime.ts';
import type { StoredVersion } from '../src/storage/backend.ts';
import { createStore } from '../src/storage/backends/lmdb/lmdb-state.ts';
import { http2Client } from './support/client.ts';
import { endCommands, runCommand, startCommand } from './support/command.ts';
import { COMMAND_FOLDER } from './support/command-folder.ts';
import { PATIENCE_MS } from './support/patience.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';

/** A store that is large enough to be read on a thread of its own. */

const COUNT = 9_000;
const MEGABYTE = 1 << 20;
const maps = '/api/v1/namespaces/default/configmaps';

let workshop: string;
const store = () => join(workshop, 'data', 'store');

beforeAll(async () => {
  workshop = await makeDirectory();
  await createStore({ runtime, directory: store(), vocabulary: 'platform', revision: COUNT + 1 }, batches());
  await access(new URL(`../${COMMAND_FOLDER}/storage/scan-thread-program.js`, import.meta.url));
  expect((await stat(join(store(), 'data.mdb'))).size).toBeGreaterThan(33 * MEGABYTE);
}, 2 * PATIENCE_MS);

afterAll(async () => {
  await endCommands();
  await removeDirectory(workshop);
});

async function* batches(): AsyncGenerator<StoredVersion[]> {
  for (let at = 0; at < COUNT; at += 1_000) yield Array.from({ length: 1_000 }, (_, i) => versionOf(at + i + 1));
}

function versionOf(number: number): StoredVersion {
  const object = {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: `map-${number}`, namespace: 'default', uid: `uid-${number}`, resourceVersion: String(number) },
    data: { text: `text-${number}-`.repeat(300) },
  };
  const bytes = Buffer.from(JSON.stringify(object));
  return { revision: number, key: `/configmaps/default/map-${number}`, bytes, deleted: false, time: runtime.now() };
}

it(
  'is served whole',
  async () => {
    const command = startCommand(workshop, '--data-dir=data');
    await command.ready();
    const client = http2Client(await command.connection('data'));
    const { body } = await client.request('GET', `${maps}?limit=1`);
    expect(body.metadata).toMatchObject({ remainingItemCount: COUNT });
    for (const number of [1, COUNT / 2, COUNT]) {
      const { body: map } = await client.request('GET', `${maps}/map-${number}`);
      expect(map).toMatchObject({ data: { text: `text-${number}-`.repeat(300) } });
    }
    await client.close();
    command.signal('SIGTERM');
    expect((await command.exit).code).toBe(0);
  },
  2 * PATIENCE_MS,
);

it(
  'is refused in one line when a record in it is not what was written',
  async () => {
    const file = await open(join(store(), 'data.mdb'), 'r+');
    const { size } = await file.stat();
    const page = Buffer.alloc(4096);
    // The last page that holds one of the texts.
    for (let at = size - page.length; at > 0; at -= page.length) {
      await file.read(page, 0, page.length, at);
      if (!page.includes('text-')) continue;
      await file.write(Buffer.from('T'), 0, 1, at + page.indexOf('text-'));
      break;
    }
    await file.close();
    const { code, stderr } = await runCommand(workshop, '--data-dir=data');
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/record of revision \d+ is not what was written.*snapshot restore/),
    ]);
  },
  2 * PATIENCE_MS,
);
