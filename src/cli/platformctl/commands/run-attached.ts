import type { AnyObject } from '../../../client/plane-client.ts';
import { sleep } from '../../../runtime/runtime.ts';
import type { Command } from '../frame/command.ts';
import { CommandError, SilentExit } from '../frame/failure.ts';
import { readLine } from '../frame/flags.ts';
import { write } from '../frame/io.ts';
import type { Session } from '../frame/session.ts';
import { ObjectWrites } from '../resources/object-writes.ts';
import { STREAMING } from './streaming.ts';

interface Pod extends AnyObject {
  readonly status?: {
    readonly phase?: string;
    readonly containerStatuses?: readonly {
      readonly state?: { readonly terminated?: { readonly exitCode: number } };
    }[];
  };
}

export interface AttachedRun {
  readonly name: string;
  readonly stdin: boolean;
  readonly tty: boolean;
  readonly quiet: boolean;
  /** Delete the pod afterwards, however it ended. */
  readonly rm: boolean;
  /** The container is not started again, so that how it ended is how the command ends. */
  readonly endsOnce: boolean;
  readonly timeoutMs: number;
}

const PAUSE_MS = 250;

/** The commands that talk with containers; refused before anything is created where there are none. */
async function streamingCommand(name: 'attach' | 'logs'): Promise<Command> {
  const row = STREAMING[name];
  if (!row) throw new CommandError(`a new pod cannot be attached to: there is no ${name} here`);
  return row.load();
}

/** Creates a pod, joins what it runs, and cleans up. */
export async function runAttached(session: Session, run: AttachedRun, create: () => Promise<void>): Promise<void> {
  const attach = await streamingCommand('attach');
  const target = {
    kind: (await session.resources()).ofKind('v1', 'Pod'),
    namespace: (await session.namespace()).name,
    name: run.name,
  };
  const writes = await ObjectWrites.of(session, { dryRun: 'none' });
  const find = async (): Promise<Pod> => (await writes.get(target)) as Pod;
  await create();
  try {
    const pod = await until(
      session,
      run.timeoutMs,
      find,
      ({ status }) => !['Pending', undefined].includes(status?.phase),
    );
    const words = [run.name, ...(run.quiet ? ['--quiet'] : [])];
    // What has ended already can only be read.
    if (pod.status?.phase === 'Running')
      await runCommand(attach, [...words, `--stdin=${run.stdin}`, `--tty=${run.tty}`], session);
    else await runCommand(await streamingCommand('logs'), [run.name], session);
    if (run.endsOnce) await demandSuccess(session, run.timeoutMs, find);
  } finally {
    if (run.rm) {
      await writes.delete(target, { propagationPolicy: 'Background' });
      if (!run.quiet) await write(session.io.stdout, `pod ${JSON.stringify(run.name)} deleted\n`);
    }
  }
}

async function runCommand(command: Command, words: readonly string[], session: Session): Promise<void> {
  const line = readLine(command.flags, words);
  const isGiven = (option: string): boolean => line.given.has(option);
  await command.run({ ...line, isGiven, session } as Parameters<Command['run']>[0]);
}

async function until(
  session: Session,
  timeoutMs: number,
  find: () => Promise<Pod>,
  isSo: (pod: Pod) => boolean,
): Promise<Pod> {
  const end = session.runtime.monotonic() + timeoutMs;
  for (;;) {
    const pod = await find();
    if (isSo(pod)) return pod;
    if (session.runtime.monotonic() + PAUSE_MS > end || session.io.interrupted.aborted) {
      throw new CommandError('timed out waiting for the condition');
    }
    await sleep(session.runtime, PAUSE_MS);
  }
}

async function demandSuccess(session: Session, timeoutMs: number, find: () => Promise<Pod>): Promise<void> {
  const hasEnded = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';
  const { status } = await until(session, timeoutMs, find, hasEnded);
  const code = status?.containerStatuses?.[0]?.state?.terminated?.exitCode ?? 0;
  if (code !== 0) throw new SilentExit(code);
}
