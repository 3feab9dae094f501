import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { markerOf } from '../../src/storage/backends/lmdb/marker.ts';

export const makeDirectory = (): Promise<string> => mkdtemp(join(tmpdir(), 'platform-test-'));

/** A store has a mark beside its folder, which may be this one. */
export async function removeDirectory(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await rm(markerOf(directory), { force: true });
}

/** A directory that is gone when the test is over. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await makeDirectory();
  onTestFinished(() => removeDirectory(directory));
  return directory;
}
