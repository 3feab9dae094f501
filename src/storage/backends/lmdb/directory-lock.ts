import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDirectories } from '../../../runtime/directories.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import { StorageRefused } from '../../backend.ts';

/** Longer paths do not fit into the address of a Unix socket everywhere. */
const LONGEST_ADDRESS = 100;
const CLAIM = /^lock\.(\d+)\.[0-9a-f]{12}$/;
/** What listening fails with on a file system that cannot hold sockets. */
const NO_SOCKETS = new Set(['EOPNOTSUPP', 'ENOTSUP', 'EPERM', 'EINVAL']);

/** The right to use a directory, held until released or until the process ends, however it ends. */
export interface DirectoryLock {
  release(): Promise<void>;
}

/** Receives those who connect to whoever holds a directory: others who want it, who go at once, and visitors. */
export type Receive = (socket: Socket) => void;

/**
 * Takes a directory for this process and this caller alone. Everyone who wants it first listens on a socket of their
 * own in it and then knocks at all others: of two, at least one sees the other and steps back. The kernel stops
 * listening for a killed process, so what a dead one left behind is told from a living one without asking the process
 * table, also between containers that share the directory. `directory` is a real path.
 */
export async function lockDirectory(
  directory: string,
  runtime: Runtime,
  receive: Receive = (socket) => socket.destroy(),
): Promise<DirectoryLock> {
  const claim: Claim = { directory, name: `lock.${process.pid}.${runtime.bytes(6).toString('hex')}`, receive };
  try {
    if (fits(directory)) return await lockPlace(directory, claim);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && NO_SOCKETS.has(String(error.code)))) throw error;
  }
  return lockPlace(standIn(directory), claim);
}

/** A connection to whoever holds a directory now, if anybody does. `directory` is a real path. */
export async function callHolder(directory: string): Promise<Socket | undefined> {
  for (const place of [directory, standInOf(directory)]) {
    const names = await readdir(place).catch(() => []);
    for (const name of names.filter((name) => CLAIM.test(name))) {
      const socket = await call(join(place, name));
      if (socket) return socket;
    }
  }
  return undefined;
}

interface Claim {
  readonly directory: string;
  readonly name: string;
  readonly receive: Receive;
}

const fits = (directory: string): boolean =>
  Buffer.byteLength(join(directory, 'lock.4294967295.0123456789ab')) <= LONGEST_ADDRESS;

/** A place for the sockets of a directory whose path is too long for them or that cannot hold any. */
function standIn(directory: string): string {
  const place = standInOf(directory);
  makeDirectories(place);
  return place;
}

function standInOf(directory: string): string {
  const digest = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  return join(tmpdir(), `platform-apiserver-${digest}`);
}

async function lockPlace(place: string, { directory, name, receive }: Claim): Promise<DirectoryLock> {
  const server = await listen(join(place, name), receive);
  const other = await livingClaim(place, name);
  if (other === undefined) return { release: () => close(server) };
  await close(server);
  throw new StorageRefused(`${directory} is in use by process ${CLAIM.exec(other)?.[1]}`);
}

async function livingClaim(place: string, own: string): Promise<string | undefined> {
  const names = await readdir(place);
  for (const name of names.filter((name) => CLAIM.test(name) && name !== own)) {
    const address = join(place, name);
    if (await answers(address)) return name;
    await rm(address, { force: true });
  }
  return undefined;
}

async function answers(address: string): Promise<boolean> {
  const socket = await call(address);
  socket?.destroy();
  return socket !== undefined;
}

/** Undefined when nobody is there. */
function call(address: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => resolve(socket));
    // Only a refusal says that nobody is there; anything else leaves it open, and then it counts as taken.
    socket.on('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'ECONNREFUSED' || code === 'ENOENT' ? undefined : socket),
    );
  });
}

function listen(address: string, receive: Receive): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(receive);
    server.on('error', reject);
    server.listen(address, () => resolve(server.unref()));
  });
}

const close = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
