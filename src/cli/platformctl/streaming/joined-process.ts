import type { LocalStreams, ProcessExit } from '../../../client/streams/remote-process.ts';
import { CommandError, SilentExit } from '../frame/failure.ts';
import { write } from '../frame/io.ts';
import type { Session } from '../frame/session.ts';
import type { Pod } from './pod.ts';
import { borrowTerminal } from './terminal.ts';

export interface WantedStreams {
  readonly stdin: boolean;
  readonly tty: boolean;
  readonly quiet?: boolean;
}

const NO_TERMINAL = 'Unable to use a TTY - input is not a terminal or the right kind of file\n';

/** Whether a process elsewhere gets the terminal, which it can only where there is one. */
export async function getsTerminal({ stdin, tty, quiet = false }: WantedStreams, { io }: Session): Promise<boolean> {
  if (!tty || !stdin) return tty;
  if (io.stdin.isTTY) return true;
  if (!quiet) await write(io.stderr, NO_TERMINAL);
  return false;
}

/** Joins this program's streams with a process elsewhere, and ends as that does. */
export async function joinProcess(
  { stdin }: WantedStreams,
  tty: boolean,
  session: Session,
  join: (local: LocalStreams) => Promise<ProcessExit>,
): Promise<void> {
  const { io } = session;
  const terminal = tty ? borrowTerminal(io) : undefined;
  try {
    const { code } = await join({
      stdin: stdin ? io.stdin : undefined,
      stdout: io.stdout,
      stderr: tty ? undefined : io.stderr,
      tty,
      sizes: terminal?.sizes,
      signal: io.interrupted,
    });
    if (code !== 0) {
      await write(io.stderr, `command terminated with exit code ${code}\n`);
      throw new SilentExit(code);
    }
  } finally {
    terminal?.restore();
  }
}

/** A process of a pod that has ended cannot be joined. */
export function demandRunning({ status }: Pod, what: string): void {
  const { phase = '' } = status ?? {};
  if (phase === 'Succeeded' || phase === 'Failed') {
    throw new CommandError(`cannot ${what} a container in a completed pod; current phase is ${phase}`);
  }
}
