import { type Client, http1Client } from '../support/client.ts';
import { Command, endCommands } from '../support/command.ts';
import { makeDirectory, removeDirectory } from '../support/temporary-directory.ts';
import { type Measured, measure } from './measure.ts';
import { forgetPeak, peakOf } from './memory-of.ts';
import { Prober, type Wait } from './prober.ts';
import type { Shape } from './shape.ts';

export interface Attempt extends Measured {
  /** Of all memory that was resident, in megabytes. */
  readonly peak: number;
  /** The server's process is not there any more. */
  readonly hasEnded: boolean;
}

export interface BenchOptions {
  /** What the server's process may use, unless all there is. */
  readonly megabytes: number | undefined;
  /** Before all else on the machine. */
  readonly comesFirst: boolean;
  /** Where the server leaves a profile of what it did when it ends. */
  readonly profiles: string | undefined;
}

/** Of what a process may have, the engine may use so much for its heap. */
const HEAP_PART = 0.75;

const NO_WAIT: Wait = { longest: 0, work: 0 };

/** A server under test and someone else who uses it. A server that ends is replaced by another, on a directory of its own. */
export class Bench {
  floor = NO_WAIT;
  readonly #options: BenchOptions;
  #directory = '';
  #command: Command | undefined;
  #admin: Client | undefined;
  #prober: Prober | undefined;
  #hasEnded = false;

  constructor(options: BenchOptions) {
    this.#options = options;
  }

  /** Starts a server. Gives how long one waits while nothing is done. */
  async begin(): Promise<Wait> {
    this.#directory = await makeDirectory();
    const command = new Command(['--secure-port=0', ...this.#limits()], this.#directory, undefined, this.#engine());
    this.#command = command;
    this.#hasEnded = false;
    command.exit.then(({ code, stderr }) => {
      if (this.#command !== command) return;
      this.#hasEnded = true;
      console.log(`the server ended with ${code}: ${stderr.slice(-2_000)}`);
    }, console.error);
    await command.ready();
    const connection = await command.connection();
    this.#admin = http1Client(connection);
    const prober = new Prober(connection.server, command.pid, this.#options.comesFirst);
    this.#prober = prober;
    await prober.measure();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    this.floor = await prober.measure();
    return this.floor;
  }

  async attempt(shape: Shape, size: number): Promise<Attempt> {
    if (this.#hasEnded) {
      await this.end();
      await this.begin();
    }
    const command = this.#command;
    if (!this.#admin || !this.#prober || !command) throw new Error('the server was not begun');
    try {
      await shape.prepare?.(this.#admin, size);
      forgetPeak(command.pid);
      const measured = await measure(shape, this.#admin, this.#prober, size);
      return { ...measured, peak: this.#hasEnded ? 0 : peakOf(command.pid), hasEnded: this.#hasEnded };
    } catch (error) {
      // The connection breaks before the end of the process is seen.
      await new Promise((resolve) => setTimeout(resolve, 500));
      if (!this.#hasEnded) throw error;
      return { name: shape.name, status: 0, wait: NO_WAIT, peak: 0, hasEnded: true };
    }
  }

  async end(): Promise<void> {
    const command = this.#command;
    this.#command = undefined;
    if (this.#options.profiles !== undefined && command && !this.#hasEnded) {
      command.signal('SIGTERM');
      await command.exit;
    }
    this.#prober?.close();
    this.#admin?.close();
    await endCommands();
    await removeDirectory(this.#directory);
  }

  #limits(): string[] {
    const { megabytes } = this.#options;
    return megabytes === undefined ? [] : [`--memory-limit=${megabytes}MiB`];
  }

  #engine(): string[] {
    const { megabytes, profiles } = this.#options;
    const heap = megabytes === undefined ? [] : [`--max-old-space-size=${Math.floor(megabytes * HEAP_PART)}`];
    const profiling = ['--cpu-prof', '--cpu-prof-interval=200', `--cpu-prof-dir=${profiles}`];
    return profiles === undefined ? heap : [...heap, ...profiling];
  }
}
