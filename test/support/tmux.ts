import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A real terminal of a fixed size, with a program in it. */
export class Tmux {
  /** A server of its own, so that no other terminal of this machine is touched. */
  readonly #socket = `test-${randomUUID()}`;

  static async isThere(): Promise<boolean> {
    return run('tmux', ['-V']).then(
      () => true,
      () => false,
    );
  }

  /** Begins a command of a shell. Its window stays when it has ended, so that the last of it can be read. */
  async start(command: string, directory: string, environment: Readonly<Record<string, string>>): Promise<void> {
    const variables = Object.entries(environment).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    await this.#tmux('new-session', '-d', '-x', '100', '-y', '30', '-c', directory, ...variables, 'sh');
    await this.keys(command, 'Enter');
  }

  /** Presses keys, by the names that tmux has for them. */
  async keys(...keys: string[]): Promise<void> {
    await this.#tmux('send-keys', ...keys);
  }

  /** What is to be seen now. */
  async screen(): Promise<string> {
    return (await this.#tmux('capture-pane', '-p')).stdout;
  }

  async end(): Promise<void> {
    await this.#tmux('kill-server').catch(() => {});
  }

  #tmux(...args: string[]): Promise<{ readonly stdout: string }> {
    return run('tmux', ['-L', this.#socket, '-f', '/dev/null', ...args]);
  }
}
