import { totalmem } from 'node:os';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import type { Runtime } from './runtime.ts';

/** How much a request matters when memory is short. */
export type Importance = 'low' | 'high' | 'system' | 'exempt';

/** What the process holds, in bytes. */
export interface MemoryUse {
  readonly resident: number;
  /** Committed by the engine for its heap. */
  readonly heap: number;
  readonly heapUsed: number;
  /** Buffers and the like, outside of the heap. */
  readonly external: number;
}

export interface MemoryGuardOptions {
  readonly limit: number;
  readonly runtime: Runtime;
  /** What the engine allows for its heap, which cannot be changed once it runs. */
  readonly heapLimit?: number;
  readonly measure?: () => MemoryUse;
  /** Memory has become short, or is no longer. */
  readonly onChange?: (isShort: boolean) => void;
}

/** From which part of the limit on requests that take memory are refused. */
const REFUSED_FROM: Readonly<Record<Importance, number>> = { low: 0.75, high: 0.82, system: 0.88, exempt: 0.95 };
/** From here on memory is short. */
const SHORT_FROM = 0.7;
const SAMPLE_EVERY_MS = 100;
/** The program itself, its stacks and what the engine needs beside its heap. */
const PROGRAM_BYTES = 64 << 20;

/** What the machine has, or the control group that the process is in, whichever is less. */
export function availableMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/**
 * Watches how much memory the process holds. Pages that are resident but free inside of the process are as good as free:
 * so the smaller one counts of what the system says, and of what is known to be in use.
 */
export class MemoryGuard {
  readonly limit: number;
  readonly #runtime: Runtime;
  readonly #heapLimit: number;
  readonly #measure: () => MemoryUse;
  readonly #onChange: (isShort: boolean) => void;
  #sampled = Number.NEGATIVE_INFINITY;
  #use = 0;
  #part = 0;
  #isShort = false;

  constructor({ limit, runtime, heapLimit, measure = measureProcess, onChange = () => {} }: MemoryGuardOptions) {
    this.limit = limit;
    this.#runtime = runtime;
    this.#heapLimit = heapLimit ?? getHeapStatistics().heap_size_limit;
    this.#measure = measure;
    this.#onChange = onChange;
  }

  /** Bytes in use, as of a moment ago. */
  get use(): number {
    this.#sample();
    return this.#use;
  }

  /** Whether a request that takes memory has to be refused. */
  refuses(importance: Importance): boolean {
    this.#sample();
    return this.#part >= REFUSED_FROM[importance];
  }

  /** Looked up when somebody asks, so that a server that nobody asks anything does nothing. */
  #sample(): void {
    const now = this.#runtime.monotonic();
    if (now - this.#sampled < SAMPLE_EVERY_MS) return;
    this.#sampled = now;
    const { resident, heap, heapUsed, external } = this.#measure();
    this.#use = Math.min(resident, PROGRAM_BYTES + heap + external);
    this.#part = Math.max(this.#use / this.limit, heapUsed / this.#heapLimit);
    const isShort = this.#part >= SHORT_FROM;
    if (isShort === this.#isShort) return;
    this.#isShort = isShort;
    this.#onChange(isShort);
  }
}

function measureProcess(): MemoryUse {
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
  return { resident: rss, heap: heapTotal, heapUsed, external };
}

/** Has the engine collect garbage earlier while memory is short, or when it thinks best. */
export function collectEarlier(isShort: boolean): void {
  setFlagsFromString(`--heap-growing-percent=${isShort ? 20 : 0}`);
}
