import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Connection } from '../../src/outbound/config.ts';
import { connectionOf } from './client.ts';
import { COMMAND_FOLDER } from './command-folder.ts';
import { PATIENCE_MS } from './patience.ts';

/** What is run of a build. */
export const programOf = (folder: string): string => join(folder, 'cli', 'platform-apiserver.js');

const ownProgram = programOf(fileURLToPath(new URL(`../../${COMMAND_FOLDER}`, import.meta.url)));

export interface Exit {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The server as a process of its own, as people run it. */
export class Command {
  readonly exit: Promise<Exit>;
  readonly #child: ChildProcess;
  readonly #directory: string;
  #stdout = '';
  #stderr = '';

  /** `engine`: options of Node itself. */
  constructor(args: readonly string[], directory: string, program = ownProgram, engine: readonly string[] = []) {
    this.#directory = directory;
    this.#child = spawn(process.execPath, [...engine, program, ...args], {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    running.add(this);
    this.exit = new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('close', (code) => {
        running.delete(this);
        resolve({ code, stdout: this.#stdout, stderr: this.#stderr });
      });
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get stdout(): string {
    return this.#stdout;
  }

  /** Resolves when the start-up message is there; fails when the process ends instead. */
  async ready(patience = PATIENCE_MS): Promise<void> {
    const deadline = Date.now() + patience;
    while (!/ready at https:.*\n.*\n.*\n.*\n/.test(this.#stdout)) {
      if (!running.has(this)) throw new Error(`the server did not start: ${this.#stderr}`);
      if (Date.now() > deadline) throw new Error(`the server was not ready in time: ${this.#stdout}${this.#stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** The administrator's connection, from the file that the server wrote. */
  async connection(dataDir = '.platform'): Promise<Connection> {
    return connectionOf(await readFile(join(this.#directory, dataDir, 'admin.conf'), 'utf8'));
  }

  signal(signal: 'SIGTERM' | 'SIGKILL' | 'SIGUSR2'): void {
    this.#child.kill(signal);
  }
}

const running = new Set<Command>();

/** Starts the built command in `directory` on a free port; see `endCommands`. */
export const startCommand = (directory: string, ...args: string[]): Command =>
  new Command(['--secure-port=0', ...args], directory);

/** Runs the built command in `directory` to its end. */
export const runCommand = (directory: string, ...args: string[]): Promise<Exit> => new Command(args, directory).exit;

/** Ends every process that is still there. For `afterEach`. */
export async function endCommands(): Promise<void> {
  const left = [...running];
  for (const command of left) command.signal('SIGKILL');
  await Promise.all(left.map(({ exit }) => exit));
}
