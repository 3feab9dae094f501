import { describe, expect, it } from 'vitest';
import { systemRuntime } from '../../../runtime/runtime.ts';
import { StorageUnavailable, type StoredVersion } from '../../backend.ts';
import { describeBackend } from '../../contract.ts';
import { MemoryBackend, MemoryDisk } from './memory-backend.ts';

describeBackend('memory', async () => {
  const disk = new MemoryDisk();
  return {
    create: () => new MemoryBackend({ runtime: systemRuntime, disk }),
    dispose: async () => undefined,
  };
});

describe('a memory disk', () => {
  const write = { key: '/pods/a/1', expected: 0, value: { head: '', tail: '' } };

  const load = async (disk: MemoryDisk): Promise<StoredVersion[]> => {
    const loaded: StoredVersion[] = [];
    const backend = new MemoryBackend({ runtime: systemRuntime, disk });
    await backend.open(
      (versions) => loaded.push(...versions),
      () => undefined,
    );
    return loaded;
  };

  it('forgets in a crash what was not synced, and takes no more from the one that crashed', async () => {
    const disk = new MemoryDisk();
    let sync = (): void => undefined;
    const persist = () => new Promise<void>((resolve) => (sync = resolve));
    const crashed = new MemoryBackend({ runtime: systemRuntime, disk, persist });
    await crashed.open(
      () => undefined,
      () => undefined,
    );
    const commit = crashed.commit(write);
    await new Promise(setImmediate);
    expect(await load(disk)).toEqual([]);
    sync();
    await expect(commit).rejects.toBeInstanceOf(StorageUnavailable);
    expect(await load(disk)).toEqual([]);
  });

  it('keeps in a crash what was acknowledged', async () => {
    const disk = new MemoryDisk();
    const crashed = new MemoryBackend({ runtime: systemRuntime, disk });
    await crashed.open(
      () => undefined,
      () => undefined,
    );
    const { revision } = await crashed.commit(write);
    expect((await load(disk)).map((version) => version.revision)).toEqual([revision]);
  });
});
