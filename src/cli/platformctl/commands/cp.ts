import { lstat, stat } from 'node:fs/promises';
import { basename, join, posix, resolve } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import type { PodTarget } from '../../../client/streams/pod-streams.ts';
import { text } from '../../../settings/flag.ts';
import { packTar } from '../copying/pack.ts';
import { prefixOf, unpack } from '../copying/unpack.ts';
import { command } from '../frame/command.ts';
import { CommandError, SilentExit } from '../frame/failure.ts';
import { onOff, short } from '../frame/flags.ts';
import { write } from '../frame/io.ts';
import type { Session } from '../frame/session.ts';
import { chosenContainer, POD_KIND, type Pod } from '../streaming/pod.ts';
import { podStreams } from '../streaming/streams-of.ts';

/** A file on this machine, or in a pod. */
interface FileSpec {
  readonly path: string;
  readonly pod: string;
  readonly namespace: string;
}

export const cp = command({
  usage: 'cp <file-spec-src> <file-spec-dest>',
  about: 'Copies files and folders to containers and from them. There has to be a "tar" in the container.',
  examples: [
    ['A folder to a pod', 'cp /tmp/foo web:/tmp/bar'],
    ['A file to a container of a pod of another namespace', 'cp /tmp/foo shop/web:/tmp/bar -c main'],
    ['A file from a pod', 'cp web:/tmp/foo /tmp/bar'],
  ],
  flags: {
    container: short('c', text('container', 'NAME', '', 'container to copy to or from')),
    noPreserve: onOff('no-preserve', false, 'do not keep owners and permissions in the container'),
  },
  async run({ flags, args, session }) {
    if (args.length !== 2) throw new CommandError('source and destination are required');
    const [from, to] = args.map(readSpec);
    if (!from || !to) throw new CommandError('source and destination are required');
    if (from.pod !== '' && to.pod !== '')
      throw new CommandError('one of src or dest must be a local file specification');
    if (from.path === '' || to.path === '') throw new CommandError('filepath can not be empty');
    if (from.pod === '' && to.pod === '')
      throw new CommandError('one of src or dest must be a remote file specification');
    const target = await targetOf(from.pod === '' ? to : from, flags.container, session);
    if (from.pod === '') await copyTo(from.path, to.path, target, flags.noPreserve, session);
    else await copyFrom(from.path, to.path, target, session);
  },
});

/** `path`, `pod:path` or `namespace/pod:path`. */
function readSpec(word: string): FileSpec {
  const colon = word.indexOf(':');
  if (colon < 0) return { path: word, pod: '', namespace: '' };
  const parts = word.slice(0, colon).split('/');
  const [namespace = '', pod = ''] = parts.length === 1 ? ['', ...parts] : parts;
  if (colon === 0 || parts.length > 2) {
    throw new CommandError('filespec must match the canonical format: [[namespace/]pod:]file/path');
  }
  return { path: word.slice(colon + 1), pod, namespace };
}

async function targetOf(
  { pod: name, namespace: given }: FileSpec,
  container: string,
  session: Session,
): Promise<PodTarget> {
  const namespace = given || (await session.namespace()).name;
  const pod = await (await session.client()).get<Pod>({ kind: POD_KIND, namespace, name });
  return { namespace, name, container: (await chosenContainer(pod, container, session)).name };
}

async function copyTo(from: string, to: string, pod: PodTarget, noPreserve: boolean, session: Session): Promise<void> {
  const source = resolve(session.io.cwd, from);
  const isThere = await lstat(source).then(
    () => true,
    () => false,
  );
  if (!isThere) throw new CommandError(`${from} doesn't exist in local filesystem`);
  const streams = await podStreams(session);
  const nowhere = (): PassThrough => new PassThrough().resume();
  const { code } = await streams.exec(pod, ['test', '-d', to], { stdout: nowhere(), stderr: nowhere() });
  const destination = posix.normalize(code === 0 ? posix.join(to, basename(source)) : to).replace(/(.)\/$/, '$1');
  const rights = noPreserve ? ['--no-same-permissions', '--no-same-owner'] : [];
  const unpacking = ['tar', ...rights, '-xmf', '-', '-C', posix.dirname(destination)];
  const stdin = Readable.from(packTar(source, posix.basename(destination)), { objectMode: false });
  const { stdout, stderr, interrupted: signal } = session.io;
  const packed = failureOf(stdin);
  const ended = await Promise.race([streams.exec(pod, unpacking, { stdin, stdout, stderr, signal }), packed]);
  await endAs(ended.code, session);
}

/** Rejects when what is sent cannot be read; otherwise never settles. */
const failureOf = (stream: Readable): Promise<never> =>
  new Promise((_resolve, reject) => {
    stream.once('error', reject);
  });

async function copyFrom(from: string, to: string, pod: PodTarget, session: Session): Promise<void> {
  const streams = await podStreams(session);
  const place = resolve(session.io.cwd, to);
  const isFolder = await stat(place).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  const prefix = prefixOf(from);
  const destination = isFolder ? join(place, posix.basename(prefix)) : place;
  const archive = new PassThrough();
  const stop = new AbortController();
  const { stderr, interrupted } = session.io;
  const signal = AbortSignal.any([interrupted, stop.signal]);
  const warn = (problem: string): Promise<void> => write(stderr, `warning: ${problem}\n`);
  const packing = streams.exec(pod, ['tar', 'cf', '-', from], { stdout: archive, stderr, signal });
  const unpacking = unpack(archive, { prefix, destination, warn });
  let failure: unknown;
  unpacking.catch((error: unknown) => {
    failure = error;
    stop.abort();
  });
  // An archive that ends too early is what comes of a failure of tar, which says more.
  const { code } = await packing
    .catch((error: unknown) => {
      throw failure ?? error;
    })
    .finally(() => archive.end());
  await endAs(code, session);
  await unpacking;
}

async function endAs(code: number, { io }: Session): Promise<void> {
  if (code === 0) return;
  await write(io.stderr, `command terminated with exit code ${code}\n`);
  throw new SilentExit(code);
}
