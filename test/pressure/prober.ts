import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('prober.mjs', import.meta.url));

/** In milliseconds. */
export interface Wait {
  /** The longest wait for one answer. */
  readonly longest: number;
  /** The most that the server's loop worked during one wait. */
  readonly work: number;
}

/** Someone else who uses the server all the time, in a process of its own, and how long it had to wait. */
export class Prober {
  readonly #child: ChildProcess;

  /** `pid`: the process of the server. `comesFirst`: whatever else runs on the machine gives way to both. */
  constructor(server: string, pid: number, comesFirst = true) {
    const priority = comesFirst ? 'first' : 'ordinary';
    this.#child = fork(program, [server, String(pid), priority], { stdio: 'ignore' });
  }

  /** Of all waits since the last call. */
  async measure(): Promise<Wait> {
    const answer = once(this.#child, 'message');
    this.#child.send('measure');
    const [wait] = await answer;
    return wait;
  }

  close(): void {
    this.#child.disconnect();
  }
}
