import { lead } from '../../src/client/leading/lead.ts';
import type { Leadership } from '../../src/client/leading/leadership.ts';
import { PlaneClient } from '../../src/client/plane-client.ts';
import type { Deadline } from '../../src/runtime/deadline.ts';
import type { Runtime, Timer } from '../../src/runtime/runtime.ts';
import { vocabularies } from '../../src/vocabulary/vocabulary.ts';
import { SimulatedProcess, type SimulatedWorld } from '../histories/simulated-world.ts';
import type { ModelledLease } from './modelled-lease.ts';

/** A process that stands for leadership. Its clocks show times of their own, and it can be stopped for a while. */
export class Candidate {
  readonly name: string;
  readonly leadership: Leadership;
  readonly errors: unknown[] = [];
  /** While it has been told that it leads, and not that it does not. */
  term: Deadline | undefined;
  begun = 0;
  readonly #world: SimulatedWorld;
  readonly #process: SimulatedProcess;
  #stoppedUntil = 0;
  isClosed = false;

  constructor(name: string, world: SimulatedWorld, lease: ModelledLease) {
    this.name = name;
    this.#world = world;
    this.#process = new SimulatedProcess(world);
    this.leadership = lead({
      runtime: this.#runtime(),
      client: new PlaneClient(lease.sendAs(this), vocabularies.platform.groups.meta),
      vocabulary: vocabularies.platform,
      namespace: 'default',
      name: 'leader',
      identity: name,
      run: (signal, term) => this.#run(signal, term),
      onError: (error) => this.errors.push(error),
    });
  }

  get isLeading(): boolean {
    return this.leadership.isLeading;
  }

  get isStopped(): boolean {
    return this.#world.elapsed < this.#stoppedUntil;
  }

  /** It is stopped, or goes on at this very moment. */
  get isHeldUp(): boolean {
    return this.#world.elapsed <= this.#stoppedUntil;
  }

  stop(milliseconds: number): void {
    this.#stoppedUntil = Math.max(this.#stoppedUntil, this.#world.elapsed + milliseconds);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.leadership.close();
  }

  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.#after(milliseconds, resolve);
    });
  }

  #run(signal: AbortSignal, term: Deadline): Promise<void> {
    this.begun++;
    this.term = term;
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        this.term = undefined;
        resolve();
      });
    });
  }

  #runtime(): Runtime {
    const skew = (this.#world.random() - 0.5) * 10 ** 9;
    const sinceBoot = this.#world.random() * 10 ** 9;
    const runtime: Runtime = {
      now: () => this.#world.wallClock + skew,
      monotonic: () => this.#world.elapsed + sinceBoot,
      after: (milliseconds, callback) => this.#after(milliseconds, callback),
      soon: (callback) => void this.#after(0, callback),
      uuid: () => this.#process.uuid(),
      random: () => this.#process.random(),
      bytes: (count) => this.#process.bytes(count),
    };
    return runtime;
  }

  /** What comes due while the process is stopped happens when it goes on. */
  #after(milliseconds: number, callback: () => void): Timer {
    let isCancelled = false;
    let timer: Timer | undefined;
    const set = (delay: number): void => {
      timer = this.#process.after(delay, () => {
        if (isCancelled) return;
        if (this.isStopped) set(this.#stoppedUntil - this.#world.elapsed);
        else callback();
      });
    };
    set(milliseconds);
    return {
      cancel() {
        isCancelled = true;
        timer?.cancel();
      },
    };
  }
}
