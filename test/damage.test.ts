import { cp, mkdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { open as openLmdb } from 'lmdb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { http2Client } from './support/client.ts';
import { endCommands, runCommand, startCommand } from './support/command.ts';
import { PATIENCE_MS } from './support/patience.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';

const PAGE = 4096;
const AT_ONCE = 3;
const OBJECTS = 60;
const maps = '/api/v1/namespaces/default/configmaps';

let workshop: string;

/** A plane with objects of all sizes, changed and deleted, so that its file has every kind of page. */
beforeAll(async () => {
  workshop = await makeDirectory();
  const command = startCommand(workshop, '--data-dir=sound');
  await command.ready();
  const client = http2Client(await command.connection('sound'));
  const write = async (i: number): Promise<void> => {
    const document = { metadata: { name: `map-${i}` }, data: { text: `treasure-${i}-`.repeat(1 + i * 8) } };
    expect((await client.request('POST', maps, document)).status).toBe(201);
    if (i % 3 === 0) await client.request('PUT', `${maps}/map-${i}`, document);
    if (i % 7 === 6) await client.request('DELETE', `${maps}/map-${i}`);
  };
  await Promise.all(Array.from({ length: OBJECTS }, (_, i) => write(i)));
  await client.close();
  command.signal('SIGTERM');
  expect((await command.exit).code).toBe(0);
}, 2 * PATIENCE_MS);

afterAll(async () => {
  await endCommands();
  await removeDirectory(workshop);
});

/** Does something to a data directory. */
type Damage = (dataDir: string) => Promise<unknown>;

const fileOf = (dataDir: string) => join(dataDir, 'store', 'data.mdb');
const replaced =
  (change: (bytes: Buffer) => Buffer): Damage =>
  async (dataDir) =>
    writeFile(fileOf(dataDir), Uint8Array.from(change(await readFile(fileOf(dataDir)))));
const changed = (change: (bytes: Buffer) => unknown): Damage =>
  replaced((bytes) => {
    change(bytes);
    return bytes;
  });
const cutTo =
  (length: (size: number) => number): Damage =>
  async (dataDir) =>
    truncate(fileOf(dataDir), Math.floor(length((await readFile(fileOf(dataDir))).length)));

/** Bytes without a pattern, the same every time. */
function noise(bytes: Buffer, from: number, to = bytes.length): void {
  for (let at = from, state = 12_345; at < to; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[at] = state >>> 16;
  }
}

function eachPage(bytes: Buffer, change: (page: Buffer, number: number) => void): void {
  for (let at = 2 * PAGE; at < bytes.length; at += PAGE) change(bytes.subarray(at, at + PAGE), at / PAGE);
}

const newerMeta = (bytes: Buffer): number => (bytes.readUInt32LE(152) > bytes.readUInt32LE(PAGE + 152) ? 0 : PAGE);

const DAMAGES: Readonly<Record<string, Damage>> = {
  'the file is empty': cutTo(() => 0),
  'one byte is left': cutTo(() => 1),
  'the file ends in its header': cutTo(() => 100),
  'one page is left': cutTo(() => PAGE),
  'only the header is left': cutTo(() => 2 * PAGE),
  'half of the file is left': cutTo((size) => size / 2),
  'the file is all zeros': changed((bytes) => bytes.fill(0)),
  'the file is all ones': changed((bytes) => bytes.fill(0xff)),
  'the file is noise': changed((bytes) => noise(bytes, 0)),
  'the second half is noise': changed((bytes) => noise(bytes, bytes.length / 2)),
  'all but the header is noise': changed((bytes) => noise(bytes, 2 * PAGE)),
  'all but the header is zeros': changed((bytes) => bytes.fill(0, 2 * PAGE)),
  'the first meta page is zeros': changed((bytes) => bytes.fill(0, 0, PAGE)),
  'the second meta page is zeros': changed((bytes) => bytes.fill(0, PAGE, 2 * PAGE)),
  'the newer meta page is of long ago': changed((bytes) => bytes.writeUInt32LE(2, newerMeta(bytes) + 152)),
  'the meta pages are swapped': replaced((bytes) =>
    Buffer.concat([bytes.subarray(PAGE, 2 * PAGE), bytes.subarray(0, PAGE), bytes.subarray(2 * PAGE)]),
  ),
  'the root is beyond the file': changed((bytes) => bytes.writeUInt32LE(0x7fff_ffff, newerMeta(bytes) + 136)),
  'pages are larger than they are': changed((bytes) => bytes.writeUInt32LE(8192, newerMeta(bytes) + 48)),
  'the file was made by another version of LMDB': changed((bytes) => bytes.writeUInt32LE(1, 28)),
  'every third page is zeros': changed((bytes) => eachPage(bytes, (page, i) => i % 3 === 0 && page.fill(0))),
  'pages say that they hold more than they can': changed((bytes) =>
    eachPage(bytes, (page) => page.writeUInt16LE(0xfff0, 20)),
  ),
  'pages point anywhere': changed((bytes) => eachPage(bytes, (page) => noise(page, 24, 64))),
  'pages have the numbers of others': changed((bytes) => eachPage(bytes, (page, i) => page.writeUInt32LE(i + 1, 0))),
  'a page was put in': replaced((bytes) =>
    Buffer.concat([bytes.subarray(0, 2 * PAGE), Buffer.alloc(PAGE), bytes.subarray(2 * PAGE)]),
  ),
  'pages are in another order': replaced((bytes) => {
    const middle = Math.floor(bytes.length / PAGE / 2) * PAGE;
    return Buffer.concat([bytes.subarray(0, 2 * PAGE), bytes.subarray(middle), bytes.subarray(2 * PAGE, middle)]);
  }),
  'one letter of an object is another': changed((bytes) => {
    for (let at = bytes.indexOf('treasure-31-'); at !== -1; at = bytes.indexOf('treasure-31-', at + 1))
      bytes[at] = 0x54;
  }),
  'it went through a text mode': replaced((bytes) =>
    Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1'),
  ),
  'it went through a decoder of UTF-8': replaced((bytes) => Buffer.from(bytes.toString('utf8'))),
  'it is a text': replaced(() => Buffer.from('not a store at all\n'.repeat(5_000))),
  'it is another database': replaced(() => Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(60_000)])),
  'it is the file of someone else': async (dataDir) => {
    await rm(join(dataDir, 'store'), { recursive: true });
    const root = openLmdb({ path: join(dataDir, 'store'), noSubdir: false });
    await root.openDB({ name: 'theirs' }).put('a', 'b');
    await root.close();
  },
  'it is an LMDB file with nothing in it': async (dataDir) => {
    await rm(join(dataDir, 'store'), { recursive: true });
    await openLmdb({ path: join(dataDir, 'store'), noSubdir: false }).close();
  },
  'the file is missing': (dataDir) => rm(fileOf(dataDir)),
  'the file is a folder': async (dataDir) => {
    await rm(fileOf(dataDir));
    await mkdir(fileOf(dataDir));
  },
  'the folder is missing': (dataDir) => rm(join(dataDir, 'store'), { recursive: true }),
  'the store was not renamed in the end': async (dataDir) => {
    await rm(join(dataDir, 'store.made'));
    await rename(join(dataDir, 'store'), join(dataDir, 'store.new-abc123'));
  },
};

/** Starts the server over a copy of the sound data directory to which something was done. */
async function startOver(name: string, damage: Damage) {
  const dataDir = `plane-${name}`;
  await cp(join(workshop, 'sound'), join(workshop, dataDir), { recursive: true });
  await damage(join(workshop, dataDir));
  return runCommand(workshop, '--secure-port=0', `--data-dir=${dataDir}`);
}

it('a store that is damaged in any way is refused in one line that says what to do', {
  timeout: 4 * PATIENCE_MS,
}, async () => {
  const left = Object.entries(DAMAGES).map(([what, damage], at) => ({ what, damage, at }));
  expect(left.length).toBeGreaterThanOrEqual(20);
  const told: Record<string, unknown> = {};
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const { code, stdout, stderr } = await startOver(String(next.at), next.damage);
      const isClear = /^platform-apiserver: [^\n]*(snapshot restore|not a data directory|cannot open)[^\n]*\n$/.test(
        stderr,
      );
      if (code !== 1 || stdout !== '' || !isClear) told[next.what] = { code, stdout, stderr };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  expect(told).toEqual({});
});

it('a snapshot of a damaged store is refused as well', { timeout: PATIENCE_MS }, async () => {
  await cp(join(workshop, 'sound'), join(workshop, 'unsaved'), { recursive: true });
  await changed((bytes) => noise(bytes, 2 * PAGE))(join(workshop, 'unsaved'));
  const { code, stderr } = await runCommand(workshop, 'snapshot', 'save', 'file', '--data-dir=unsaved');
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/is damaged: [^\n]*\n$/) });
});

it('what is lost with the lock file of LMDB is nothing', { timeout: 2 * PATIENCE_MS }, async () => {
  for (const [name, content] of Object.entries({ noise: 'x'.repeat(20_000), short: 'x', none: undefined })) {
    const dataDir = `lock-${name}`;
    await cp(join(workshop, 'sound'), join(workshop, dataDir), { recursive: true });
    const lock = join(workshop, dataDir, 'store', 'lock.mdb');
    if (content === undefined) await rm(lock, { force: true });
    else await writeFile(lock, content);
    const command = startCommand(workshop, `--data-dir=${dataDir}`);
    await command.ready();
    const client = http2Client(await command.connection(dataDir));
    const { body } = await client.request('GET', maps);
    expect(body.items.filter(({ metadata }) => metadata.name.startsWith('map-')).length).toBe(OBJECTS - 8);
    expect((await client.request('DELETE', `${maps}/map-1`)).status).toBe(200);
    await client.close();
    command.signal('SIGTERM');
    expect((await command.exit).code).toBe(0);
  }
});
