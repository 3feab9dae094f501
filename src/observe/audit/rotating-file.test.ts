import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';
import { ManualRuntime } from '../../storage/manual-runtime.ts';
import { LogSink } from './log-sink.ts';
import { RotatingFile, type RotationOptions } from './rotating-file.ts';
import { sampleEvent } from './test-event.ts';

const DAY_MS = 86_400_000;

async function rotating(changes: Partial<RotationOptions> = {}) {
  const directory = await temporaryDirectory();
  const runtime = new ManualRuntime();
  const options: RotationOptions = {
    path: join(directory, 'audit.log'),
    maxBytes: 20,
    maxBackups: 0,
    maxAgeDays: 0,
    compress: false,
    runtime,
    onError(error) {
      throw error;
    },
    ...changes,
  };
  const file = new RotatingFile(options);
  const append = async (...lines: string[]): Promise<void> => {
    for (const line of lines) {
      await file.append(`${line}\n`);
      runtime.advance(1000);
    }
  };
  const backups = async () => (await readdir(directory)).filter((name) => name !== 'audit.log').sort();
  return { directory, runtime, options, file, append, backups };
}

describe('a log file', () => {
  it('is put aside under the time when the next line would not fit', async () => {
    const { directory, file, append, backups } = await rotating();
    await append('one', 'two', 'three', 'four', 'five');
    await file.close();
    expect(await backups()).toEqual(['audit-2023-11-14T22-13-24.000.log']);
    expect(await readFile(join(directory, 'audit-2023-11-14T22-13-24.000.log'), 'utf8')).toBe(
      'one\ntwo\nthree\nfour\n',
    );
    expect(await readFile(join(directory, 'audit.log'), 'utf8')).toBe('five\n');
  });

  it('is continued after a restart', async () => {
    const { directory, options, file, append } = await rotating();
    await append('one');
    await file.close();
    const again = new RotatingFile(options);
    await again.append('two\n');
    await again.close();
    expect(await readFile(join(directory, 'audit.log'), 'utf8')).toBe('one\ntwo\n');
  });

  it('is kept among the newest only, and not beyond its days, while other files are left alone', async () => {
    const { directory, runtime, file, append, backups } = await rotating({ maxBytes: 5, maxBackups: 2, maxAgeDays: 3 });
    await writeFile(join(directory, 'audit-notes.log'), 'mine');
    await append('one', 'two', 'three', 'four');
    await file.close();
    expect(await backups()).toEqual([
      'audit-2023-11-14T22-13-22.000.log',
      'audit-2023-11-14T22-13-23.000.log',
      'audit-notes.log',
    ]);
    runtime.advance(4 * DAY_MS);
    await append('five');
    await file.close();
    expect(await backups()).toEqual(['audit-2023-11-18T22-13-24.000.log', 'audit-notes.log']);
  });

  it('is compressed when it is full', async () => {
    const { directory, file, append, backups } = await rotating({ maxBytes: 5, compress: true });
    await append('one', 'two');
    await file.close();
    const [name = ''] = await backups();
    expect(name).toBe('audit-2023-11-14T22-13-21.000.log.gz');
    expect(gunzipSync(await readFile(join(directory, name))).toString()).toBe('one\n');
  });

  it('on a full disk refuses what it cannot take, and takes more when there is room again', async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, 'full.log');
    await symlink('/dev/full', path);
    const { options } = await rotating({ path, maxBytes: 1_000_000 });
    const sink = new LogSink(new RotatingFile(options), 'json');
    const outcomes = await Promise.allSettled([sink.send([sampleEvent('a')]), sink.send([sampleEvent('b')])]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await rm(path);
    await sink.send([sampleEvent('c')]);
    await sink.close();
    expect(JSON.parse(await readFile(path, 'utf8')).auditID).toBe('c');
  });
});

it('events that come while others are being written go together, in order', async () => {
  const texts: string[] = [];
  const sink = new LogSink({ append: async (text) => void texts.push(text), close: async () => {} }, 'json');
  await Promise.all(['a', 'b', 'c', 'd'].map((id) => sink.send([sampleEvent(id)])));
  const idsIn = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).auditID);
  expect(texts.map(idsIn)).toEqual([['a'], ['b', 'c', 'd']]);
});
