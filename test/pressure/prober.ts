import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('prober.mjs', import.meta.url));

/** Someone else who uses the server all the time, in a process of its own, and how long it had to wait. */
export class Prober {
  readonly #child: ChildProcess;

  constructor(server: string) {
    this.#child = fork(program, [server], { stdio: 'ignore' });
  }

  /** The longest wait for an answer since the last call, in milliseconds. */
  async longest(): Promise<number> {
    const answer = once(this.#child, 'message');
    this.#child.send('measure');
    const [{ longest }] = await answer;
    return longest;
  }

  close(): void {
    this.#child.disconnect();
  }
}
