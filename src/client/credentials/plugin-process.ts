import { type ChildProcess, spawn } from 'node:child_process';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Environment } from '../config/config-sources.ts';
import { PluginFailure } from './plugin-failure.ts';

export interface PluginProcess {
  /** The program, as `findExecutable` gives it. */
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: Environment;
  /** Whether it may read what its user types. */
  readonly isInteractive: boolean;
  /** Where it talks to its user: to that of this process, or nowhere. */
  readonly stderr: 'inherit' | 'ignore';
  readonly timeoutMs: number;
  readonly mostBytes: number;
}

/** One that is told to end and does not is killed after so long. */
const GRACE_MS = 2000;

/** Runs a plugin to its end and gives what it printed. Fails when it fails, takes too long, or prints too much. */
export function runPlugin(wanted: PluginProcess, runtime: Runtime): Promise<string> {
  const { timeoutMs, mostBytes } = wanted;
  return new Promise((resolve, reject) => {
    const child = start(wanted);
    const timer = runtime.after(timeoutMs, () => giveUp('TimedOut', `did not end within ${timeoutMs / 1000} s`));
    const parts: Buffer[] = [];
    let length = 0;
    const fail = (failure: PluginFailure): void => {
      timer.cancel();
      reject(failure);
    };
    const giveUp = (reason: 'TimedOut' | 'TooMuchOutput', message: string): void => {
      end(child, runtime);
      fail(new PluginFailure(reason, message));
    };
    child.stdout?.on('data', (part: Buffer) => {
      length += part.length;
      if (length > mostBytes) giveUp('TooMuchOutput', `printed more than ${mostBytes} bytes`);
      else parts.push(part);
    });
    child.on('error', (error) => fail(notStarted(error)));
    child.on('close', (code, signal) => {
      if (code === 0) {
        timer.cancel();
        resolve(Buffer.concat(parts).toString('utf8'));
      } else fail(new PluginFailure('Failed', signal ? `was ended by ${signal}` : `failed with exit code ${code}`));
    });
  });
}

function start({ file, args, environment, isInteractive, stderr }: PluginProcess): ChildProcess {
  try {
    return spawn(file, args, { env: environment, stdio: [isInteractive ? 'inherit' : 'ignore', 'pipe', stderr] });
  } catch (error) {
    throw notStarted(error);
  }
}

/** The message of the error may quote arguments, which may be secret. */
function notStarted(error: unknown): PluginFailure {
  const code = error instanceof Error && 'code' in error ? error.code : 'unknown error';
  // The file is there: it was found.
  if (code === 'ENOENT') return new PluginFailure('NotExecutable', 'cannot be started: its interpreter is missing');
  return new PluginFailure('NotExecutable', `cannot be started (${code})`);
}

/** What it started may keep its output open: nobody reads that any more. */
function end(child: ChildProcess, runtime: Runtime): void {
  child.stdout?.destroy();
  child.kill('SIGTERM');
  const timer = runtime.after(GRACE_MS, () => child.kill('SIGKILL'));
  child.once('exit', () => timer.cancel());
}
