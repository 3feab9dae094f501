import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { errorCode } from '../../runtime/directories.ts';
import { UsageError } from '../../settings/flag.ts';

const MARK = '# Written by platform-apiserver test. The plane that it leads to lasts as long as the command.\n';

/** A client configuration that is there while a plane is. */
export interface PlaneConfig {
  /** Absolute: the command may work in another directory. */
  readonly file: string;
  remove(): Promise<void>;
}

/** Refuses a file that someone else wrote: a client configuration is easily lost, and hard to get back. */
export async function refuseForeign(file: string): Promise<void> {
  const present = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return MARK;
    throw new UsageError(`--kubeconfig-out: ${file} cannot be read (${errorCode(error)})`);
  });
  if (!present.startsWith(MARK)) throw new UsageError(`--kubeconfig-out: ${file} is there already, and not from here`);
}

/** Writes it to `wanted`, or where nobody else looks. */
export async function writePlaneConfig(text: string, wanted: string | undefined): Promise<PlaneConfig> {
  const folder = wanted === undefined ? await mkdtemp(join(tmpdir(), 'platform-apiserver-test-')) : undefined;
  const file = resolve(wanted ?? join(folder ?? '', 'config'));
  try {
    // A file that is there keeps its mode: it is made anew.
    await rm(file, { force: true });
    await writeFile(file, MARK + text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw new UsageError(`--kubeconfig-out: ${file} cannot be written (${errorCode(error)})`);
  }
  return { file, remove: () => rm(folder ?? file, { recursive: true, force: true }) };
}
