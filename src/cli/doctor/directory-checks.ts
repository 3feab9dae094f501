import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../runtime/directories.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { withState } from '../../storage/backends/lmdb/lmdb-state.ts';
import { pkiFindings } from './certificate-checks.ts';
import { type Finding, looked, ok, problem, warning } from './finding.ts';

const MIB = 2 ** 20;
/** Below this a server soon refuses what grows; its reserve is 16 MiB. */
const FULL_BYTES = 128 * MIB;
const SCARCE_PART = 0.1;

/** Everything that can be told of a data directory without the server, which may be running. */
export async function directoryFindings(dataDir: string, runtime: Runtime): Promise<readonly Finding[]> {
  if (!(await isThere(dataDir))) {
    return [problem('data', `there is no ${dataDir}`, 'name the data directory of a server with --data-dir')];
  }
  const parts = await Promise.all([
    looked('store', () => storeFindings(join(dataDir, 'store'), runtime), RESTORE),
    looked('certificates', () => pkiFindings(join(dataDir, 'pki'), runtime.now()), RESTORE),
    looked('disk', () => diskFindings(dataDir), 'see whether the disk is mounted'),
    looked('clock', () => clockFindings(dataDir, runtime), 'see whether the data directory can be read'),
  ]);
  return parts.flat();
}

const RESTORE = 'stop the server, move the directory away, and restore a back-up (docs/operations.md)';

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    (entry) => entry.isDirectory(),
    (error: unknown) => {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    },
  );

/** Reads every record, each of which has a checksum. */
async function storeFindings(store: string, runtime: Runtime): Promise<readonly Finding[]> {
  if (!(await isThere(store))) return [ok('store', 'no objects are kept in this directory')];
  return withState({ directory: store, runtime }, async ({ revision, count, versions, vocabulary }) => {
    let bytes = 0;
    for await (const version of versions) bytes += version.bytes.length;
    const { size } = await stat(join(store, 'data.mdb'));
    const sizes = `${mib(bytes)} MiB in a file of ${mib(size)} MiB`;
    return [
      ok('store', `${count} objects as of revision ${revision} were read, ${sizes}, vocabulary ${vocabulary}`),
      ...wastedFindings(bytes, size),
    ];
  });
}

const WASTED_BYTES = 1024 * MIB;
const WASTED_TIMES = 10;

/** History and free pages take room too, but not many times as much for good. */
const wastedFindings = (used: number, size: number): Finding[] =>
  size > WASTED_BYTES && size > WASTED_TIMES * used
    ? [warning('store', `the file is ${Math.floor(size / used)} times as large as its objects`, COMPACT)]
    : [];

const COMPACT = 'stop the server and run platform-apiserver compact';

const mib = (bytes: number): string => (bytes / MIB).toFixed(1);

async function diskFindings(dataDir: string): Promise<readonly Finding[]> {
  const { bavail, blocks, bsize } = await statfs(dataDir);
  const [free, whole] = [bavail * bsize, blocks * bsize];
  const shown = `${mib(free)} of ${mib(whole)} MiB are free below ${dataDir}`;
  const advice = 'make room, or move the data directory; a full disk lets objects be deleted only';
  if (free < FULL_BYTES) return [problem('disk', shown, advice)];
  return [free < SCARCE_PART * whole ? warning('disk', shown, advice) : ok('disk', shown)];
}

const TOLERATED_MS = 5_000;

/** A clock that was put back shows in files that were written later than now. */
async function clockFindings(dataDir: string, runtime: Runtime): Promise<readonly Finding[]> {
  const files = ['admin.conf', join('store', 'data.mdb'), join('pki', 'apiserver.crt')];
  const times = await Promise.all(
    files.map((name) =>
      stat(join(dataDir, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  const ahead = Math.max(...times) - runtime.now();
  if (ahead <= TOLERATED_MS) return [ok('clock', 'no file is from the future')];
  const seconds = Math.round(ahead / 1000);
  return [problem('clock', `files were written ${seconds} s later than it is now`, 'set the clock of this machine')];
}
