import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { StoredVersion } from '../backend.ts';
import { SnapshotDamaged, SnapshotReader, writeSnapshot } from './snapshot-file.ts';

let directory: string;
let path: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'snapshot-'));
  path = join(directory, 'file');
});

afterEach(() => rm(directory, { recursive: true, force: true }));

const version = (revision: number, text = 'x'.repeat(revision)): StoredVersion => ({
  revision,
  key: `/pods/ä/${revision}`,
  bytes: Buffer.from(text),
  deleted: false,
  time: 1_700_000_000_000 + revision,
});

const write = (versions: readonly StoredVersion[]) => {
  const revision = versions.at(-1)?.revision ?? 7;
  const header = { vocabulary: 'neutral', revision, count: versions.length, created: '2026-01-02T03:04:05.000Z' };
  return writeSnapshot(path, header, versions).then(() => header);
};

/** Comparing large buffers byte by byte would take long. */
const readable = (versions: readonly StoredVersion[]) =>
  versions.map((version) => ({ ...version, bytes: version.bytes.toString('latin1') }));

async function readAll(): Promise<{ header: unknown; versions: StoredVersion[] }> {
  const reader = await SnapshotReader.open(path);
  try {
    const versions: StoredVersion[] = [];
    for await (const batch of reader.batches()) versions.push(...batch);
    return { header: reader.header, versions };
  } finally {
    await reader.close();
  }
}

it('gives back what was written, for its owner only, and leaves nothing beside it', async () => {
  for (const count of [0, 1, 1_200]) {
    const versions = Array.from({ length: count }, (_, i) => version(i + 1));
    const large = version(5_000, 'y'.repeat(3 << 20));
    const header = await write([...versions, large]);
    const read = await readAll();
    expect(read.header).toEqual(header);
    expect(readable(read.versions)).toEqual(readable([...versions, large]));
  }
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(directory)).toEqual(['file']);
});

it('leaves the file before it alone when it cannot be finished', async () => {
  const before = await write([version(1)]);
  const failing = function* () {
    yield version(2);
    throw new Error('no more');
  };
  const header = { ...before, count: 2 };
  await expect(writeSnapshot(path, header, failing())).rejects.toThrow('no more');
  expect(await readAll()).toEqual({ header: before, versions: [version(1)] });
  expect(await readdir(directory)).toEqual(['file']);
});

it('a file that was changed, cut or added to anywhere is refused in one line', async () => {
  await write([version(1), version(20), version(300)]);
  const whole = await readFile(path);
  const place = fc.nat(whole.length - 1);
  const damage = fc.oneof(
    fc.tuple(place, fc.integer({ min: 1, max: 255 })).map(([at, by]) => flipped(whole, at, by)),
    place.map((at) => whole.subarray(0, at)),
    fc.uint8Array({ minLength: 1, maxLength: 40 }).map((more) => Buffer.concat([whole, more])),
  );
  await fc.assert(
    fc.asyncProperty(damage, async (bytes) => {
      await writeFile(path, bytes);
      const error = await readAll().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(SnapshotDamaged);
      expect(String(error)).toMatch(/^SnapshotDamaged: [^\n]+$/);
    }),
    { numRuns: 300 },
  );
});

function flipped(whole: Buffer, at: number, by: number): Buffer {
  const bytes = Buffer.from(whole);
  bytes[at] = (bytes[at] ?? 0) ^ by;
  return bytes;
}
