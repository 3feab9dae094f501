import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { errorCode } from '../../runtime/directories.ts';

/** What ends a command, or asks it to do something, and reaches this process instead. */
const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** What shells end with when a command could not be started: because it is not there, or for another reason. */
const NOT_FOUND = 127;
const NOT_STARTED = 126;

/** The code that shells give a command which a signal has ended. */
const codeOfSignal = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

/**
 * Runs commands with the standard streams of this process. From its making on, signals that would end this process are for
 * the command: this one goes when the command does.
 */
export class ChildCommand {
  readonly #hasTerminal: boolean;
  #received: NodeJS.Signals | undefined;
  #pass: (signal: NodeJS.Signals) => void = () => {};
  readonly #listener = (signal: NodeJS.Signals): void => {
    this.#received ??= signal;
    this.#pass(signal);
  };

  constructor(hasTerminal = process.stdin.isTTY === true) {
    this.#hasTerminal = hasTerminal;
    for (const signal of PASSED_ON) process.on(signal, this.#listener);
  }

  /** Resolves with the code to end with. A command that was called off before it began is not begun. */
  run([program = '', ...args]: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
    if (this.#received) return Promise.resolve(codeOfSignal(this.#received));
    return new Promise((resolve) => {
      const child = spawn(program, args, { stdio: 'inherit', env: environment });
      this.#pass = (signal) => {
        // A terminal sends what is typed to the command as well.
        if (!(this.#hasTerminal && signal === 'SIGINT')) child.kill(signal);
      };
      child.once('error', (error) => {
        const code = errorCode(error);
        process.stderr.write(`platform-apiserver: cannot run ${program}: ${code}\n`);
        resolve(code === 'ENOENT' ? NOT_FOUND : NOT_STARTED);
      });
      child.once('exit', (code, signal) => resolve(code ?? (signal ? codeOfSignal(signal) : 1)));
    });
  }

  /** From now on signals do to this process what they usually do. */
  close(): void {
    for (const signal of PASSED_ON) process.off(signal, this.#listener);
  }
}
