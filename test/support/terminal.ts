import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PATIENCE_MS } from './patience.ts';

/** Installing and building are among the commands. */
export const TERMINAL_PATIENCE_MS = 4 * PATIENCE_MS;

/** A shell in a directory, with whatever it starts. It ends at the first command that fails. */
export class Terminal {
  readonly #shell: ChildProcess;
  readonly #directory: string;
  readonly #closed: Promise<void>;
  #over = false;
  #output = '';
  #blocks = 0;

  constructor(directory: string, environment: Readonly<Record<string, string | undefined>>) {
    this.#directory = directory;
    // A group of its own, so that nothing that was started in the background stays.
    this.#shell = spawn('sh', ['-e'], { cwd: directory, env: environment, detached: true, stdio: 'pipe' });
    for (const stream of [this.#shell.stdout, this.#shell.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
    }
    this.#shell.stdin?.on('error', () => {}); // It has ended; whoever waits for output is told.
    this.#shell.once('exit', () => {
      this.#over = true;
    });
    this.#closed = new Promise((resolve) => this.#shell.once('close', () => resolve()));
  }

  /** Runs commands to their end, and gives what they print meanwhile. */
  async run(commands: string): Promise<string> {
    const marker = `end-of-block-${++this.#blocks}-of-${process.pid}`;
    const from = this.#output.length;
    await this.#start(commands);
    this.#shell.stdin?.write(`echo ${marker}\n`);
    const output = await this.#until((text) => text.includes(`${marker}\n`), commands, from);
    return output.replace(`${marker}\n`, '');
  }

  /** Begins commands that go on; resolves when what they print matches, with what it is. */
  async follow(commands: string, expected: RegExp): Promise<string> {
    const from = this.#output.length;
    await this.#start(commands);
    return this.#until((text) => expected.test(text), commands, from);
  }

  /** From a file, so that the commands do not read what comes after them. */
  async #start(commands: string): Promise<void> {
    const file = `.block-${this.#blocks}-${this.#shell.pid}.sh`;
    await writeFile(join(this.#directory, file), `${commands}\n`);
    this.#shell.stdin?.write(`. ./${file} </dev/null\n`);
  }

  async #until(enough: (text: string) => boolean, commands: string, from: number): Promise<string> {
    const deadline = Date.now() + TERMINAL_PATIENCE_MS;
    for (;;) {
      const text = this.#output.slice(from);
      if (enough(text)) return text;
      if (this.#over || Date.now() > deadline) {
        throw new Error(`${this.#over ? 'failed' : 'went on too long'}:\n${commands}\n\n${text}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Ends the shell and everything that it started. */
  async close(): Promise<void> {
    const pid = this.#shell.pid;
    if (pid === undefined) return;
    const end = (signal: NodeJS.Signals): void => {
      try {
        process.kill(-pid, signal);
      } catch {
        // Nobody is left.
      }
    };
    end('SIGTERM');
    const timer = setTimeout(() => end('SIGKILL'), PATIENCE_MS / 3);
    await this.#closed;
    clearTimeout(timer);
  }
}
