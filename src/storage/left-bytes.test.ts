import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeDirectory, removeDirectory } from '../../test/support/temporary-directory.ts';
import { type Archive, HistoryGone, StorageUnavailable } from './backend.ts';
import { LmdbBackend } from './backends/lmdb/lmdb-backend.ts';
import { mayMention, mentions } from './log/dormant-version.ts';
import { type Version, VersionLog } from './log/version-log.ts';
import { ManualRuntime } from './manual-runtime.ts';

const RETENTION_MS = 300_000;
const LOOK_FOR = ['"wanted"', 'Stamp'];
const closing: VersionLog[] = [];

let directory: string;
let runtime: ManualRuntime;

beforeEach(async () => {
  directory = await makeDirectory();
  runtime = new ManualRuntime();
});

afterEach(async () => {
  for (const log of closing.splice(0)) await log.close();
  await removeDirectory(directory);
});

/** The log of a store that leaves everything where it is when it is opened, and how often it was asked since. */
async function open({ leaveAbove = 0 } = {}) {
  const backend = new LmdbBackend({ runtime, directory, vocabulary: 'neutral', leaveAbove });
  const reads = vi.spyOn(backend.archive as Archive, 'read');
  const errors: unknown[] = [];
  const log = await VersionLog.open(backend, {
    runtime,
    retentionMs: RETENTION_MS,
    lookFor: LOOK_FOR,
    onError: (error) => errors.push(error),
  });
  closing.push(log);
  return { log, reads, errors };
}

const NAMES = ['a', 'b', 'c', 'd'];

async function put(log: VersionLog, name: string, text: string, more: { delete?: boolean } = {}): Promise<Version> {
  const key = `/pods/${name}`;
  const commit = await log.commit({
    key,
    expected: log.get(key)?.revision ?? 0,
    value: { head: '', tail: text },
    ...more,
  });
  if (commit.conflict) throw new Error('another was quicker');
  return commit.version;
}

/** Four objects, opened anew. */
async function reopened(options: Parameters<typeof open>[0] = {}) {
  const { log } = await open();
  for (const name of NAMES) await put(log, name, `-${name}`);
  await log.close();
  return open(options);
}

const textsOf = (versions: readonly Version[]) => versions.map(({ bytes }) => bytes.toString());
const TEXTS = ['2-a', '3-b', '4-c', '5-d'];

describe('what is left in a large store when it is opened', () => {
  it('is read when somebody wants it', async () => {
    const { log, reads } = await reopened();
    expect(log.list('pods').map(({ revision, size }) => [revision, size])).toEqual([
      [2, 3],
      [3, 3],
      [4, 3],
      [5, 3],
    ]);
    expect(log.count('pods')).toBe(4);
    expect(reads).not.toHaveBeenCalled();
    expect(log.get('/pods/b')?.bytes.toString()).toBe('3-b');
    expect(textsOf(log.list('pods'))).toEqual(TEXTS);
    expect(textsOf(await log.fetch(log.list('pods', { revision: 5 })))).toEqual(TEXTS);
    expect(reads).toHaveBeenCalledTimes(1 + 4 + 4);
  });

  it('is handed over with its bytes by a store that is not that large', async () => {
    const { log, reads } = await reopened({ leaveAbove: 1 << 30 });
    expect(textsOf(log.list('pods'))).toEqual(TEXTS);
    expect(reads).not.toHaveBeenCalled();
  });

  it('need not be looked at for texts that were looked for when it was opened', async () => {
    const { log } = await open();
    await put(log, 'a', '{"wanted":1}');
    await put(log, 'b', '{"creationStamp":"wanted ones"}');
    await put(log, 'c', '{"other":1}');
    await log.close();
    const { log: again, reads } = await open();
    const versions = again.list('pods');
    const may = (text: string) => versions.map((version) => mayMention(version, text));
    expect(may('"wanted"')).toEqual([true, false, false]);
    expect(may('Stamp')).toEqual([false, true, false]);
    expect(may('nobody looked for this')).toEqual([true, true, true]);
    expect(reads).not.toHaveBeenCalled();
    expect(versions.map((version) => mentions(version, '"wanted"'))).toEqual([true, false, false]);
    expect(reads).toHaveBeenCalledTimes(1);
    const written = await put(again, 'c', '{"wanted":2}');
    expect(mentions(written, '"wanted"')).toBe(true);
    expect(reads).toHaveBeenCalledTimes(1);
  });

  it('is history once it is superseded, which takes no memory and ends when it is compacted', async () => {
    const { log } = await reopened();
    const [first] = log.list('pods');
    await put(log, 'a', '-later');
    expect(log.stats.historyBytes).toBe(0);
    expect(textsOf(log.list('pods', { revision: 5 }))).toEqual(TEXTS);
    expect(first?.bytes.toString()).toBe('2-a');
    runtime.advance(2 * RETENTION_MS);
    await vi.waitFor(() => expect(log.compacted).toBeGreaterThan(5));
    await vi.waitFor(() => expect(() => first?.bytes).toThrow(HistoryGone));
    expect(textsOf(log.list('pods'))).toEqual(['6-later', ...TEXTS.slice(1)]);
  });

  it('is told to those who watch from the beginning, what is past and deletions too', async () => {
    const { log } = await open();
    for (const name of NAMES) await put(log, name, `-${name}`);
    await put(log, 'a', '-again');
    await put(log, 'b', '-last', { delete: true });
    await log.close();
    const { log: again } = await open();
    const seen: (readonly [string, boolean, string | undefined])[] = [];
    again.subscribe(
      'pods',
      { after: 1 },
      {
        onVersions(versions) {
          for (const { bytes, deleted, previous } of versions) {
            seen.push([bytes.toString(), deleted, previous?.bytes.toString()]);
          }
        },
      },
    );
    expect(seen).toEqual([
      ...TEXTS.map((text) => [text, false, undefined]),
      ['6-again', false, '2-a'],
      ['7-last', true, '3-b'],
    ]);
    expect(again.stats.historyBytes).toBe(0);
  });

  it('fails alone, and is reported, when it cannot be read any more', async () => {
    const { log, reads, errors } = await reopened();
    reads.mockImplementationOnce(() => {
      throw new StorageUnavailable('the record of revision 3 is not what was written');
    });
    expect(() => log.get('/pods/b')?.bytes).toThrow(/revision 3/);
    expect(errors).toHaveLength(1);
    expect(textsOf(log.list('pods'))).toEqual(TEXTS);
  });
});
