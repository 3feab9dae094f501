import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export const makeDirectory = (): Promise<string> => mkdtemp(join(tmpdir(), 'platform-test-'));

export const removeDirectory = (directory: string): Promise<void> => rm(directory, { recursive: true, force: true });

/** A directory that is gone when the test is over. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await makeDirectory();
  onTestFinished(() => removeDirectory(directory));
  return directory;
}
