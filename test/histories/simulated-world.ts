import type { Runtime, Timer } from '../../src/runtime/runtime.ts';

/** A generator of numbers in [0, 1) that one seed decides altogether. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Alarm {
  readonly due: number;
  readonly process: SimulatedProcess;
  callback(): void;
}

/** Time and chance of a simulation. Nothing happens by itself: `pass` lets the next thing that is due happen. */
export class SimulatedWorld {
  readonly random: () => number;
  #elapsed = 0;
  /** How far the clock on the wall is from where it should be. */
  #jumped = 0;
  #alarms: Alarm[] = [];

  constructor(seed: number) {
    this.random = seededRandom(seed);
  }

  get elapsed(): number {
    return this.#elapsed;
  }

  get wallClock(): number {
    return 1_700_000_000_000 + this.#elapsed + this.#jumped;
  }

  /** A whole number in [0, bound). */
  below(bound: number): number {
    return Math.floor(this.random() * bound);
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  jump(milliseconds: number): void {
    this.#jumped += milliseconds;
  }

  set(alarm: Alarm): Timer {
    this.#alarms.push(alarm);
    return {
      cancel: () => {
        this.#alarms = this.#alarms.filter((other) => other !== alarm);
      },
    };
  }

  /** What was due for a process that is no more is dropped. */
  pass(): void {
    this.#alarms = this.#alarms.filter(({ process }) => process.alive).sort((a, b) => a.due - b.due);
    const next = this.#alarms.shift();
    if (next === undefined) return;
    this.#elapsed = Math.max(this.#elapsed, next.due);
    next.callback();
  }
}

/** The runtime of one process. Once it has been killed, nothing it waits for happens any more. */
export class SimulatedProcess implements Runtime {
  readonly #world: SimulatedWorld;
  alive = true;

  constructor(world: SimulatedWorld) {
    this.#world = world;
  }

  now(): number {
    return this.#world.wallClock;
  }

  monotonic(): number {
    return this.#world.elapsed;
  }

  after(milliseconds: number, callback: () => void): Timer {
    return this.#world.set({ due: this.#world.elapsed + milliseconds, process: this, callback });
  }

  soon(callback: () => void): void {
    this.after(0, callback);
  }

  uuid(): string {
    return `00000000-0000-4000-8000-${String(this.#world.below(10 ** 12)).padStart(12, '0')}`;
  }

  random(): number {
    return this.#world.random();
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.#world.below(256)));
  }
}

/** Lets everything happen that needs no time. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
