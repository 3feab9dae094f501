import { existsSync, readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import type { Runtime } from '../runtime/runtime.ts';

/** How much a request matters when memory is short. */
export type Importance = 'low' | 'high' | 'system' | 'exempt';

/** What the process holds, in bytes. */
export interface MemoryUse {
  /** In memory, without pages of files, which the system can take back. */
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
  /** Bytes in use that do not count as buffers, less those that count and hold nothing yet. */
  readonly uncounted?: () => number;
  /** Memory has become short, or is no longer. `use`: bytes in use now. */
  readonly onChange?: (isShort: boolean, use: number) => void;
}

/** From which part of what can be used on, requests that take memory are refused. */
const REFUSED_FROM: Readonly<Record<Importance, number>> = { low: 0.75, high: 0.82, system: 0.88, exempt: 0.95 };
/** From here on memory is short. */
const SHORT_FROM = 0.7;
const SAMPLE_EVERY_MS = 100;
/** Left of the limit for what was let in already and is still growing: a fifth, and no more than this. */
const RESERVE_PART = 0.2;
const MOST_RESERVE = 64 << 20;
/** Stacks, and what the program and the engine need beside the heap. */
const PROGRAM_BYTES = 32 << 20;
/** Of what is resident and not known to be in use, so much counts, and in all no more than this part of the limit. */
const UNKNOWN_WEIGHT = 0.5;
const MOST_UNKNOWN = 0.25;

/** What the machine has, or the control group that the process is in, whichever is less. */
export function availableMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/**
 * Watches how much memory the process uses. What is resident beyond the heap and buffers is partly in use, by TLS for
 * instance, and partly free inside of the process, where it may stay for long. Nobody can tell: so a part of it counts,
 * and never so much that it alone would have requests refused.
 */
export class MemoryGuard {
  readonly limit: number;
  readonly #runtime: Runtime;
  /** The limit without the reserve. */
  readonly #usable: number;
  readonly #heapLimit: number;
  readonly #measure: () => MemoryUse;
  readonly #uncounted: () => number;
  readonly #onChange: (isShort: boolean, use: number) => void;
  #sampled = Number.NEGATIVE_INFINITY;
  #use = 0;
  #part = 0;
  #isShort = false;

  constructor(options: MemoryGuardOptions) {
    const { limit, runtime, heapLimit, measure = measureProcess, onChange = () => {} } = options;
    this.limit = limit;
    this.#usable = limit - Math.min(MOST_RESERVE, limit * RESERVE_PART);
    this.#runtime = runtime;
    this.#heapLimit = heapLimit ?? getHeapStatistics().heap_size_limit;
    this.#measure = measure;
    this.#uncounted = options.uncounted ?? (() => 0);
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
    const known = Math.min(resident, PROGRAM_BYTES + heap + external + this.#uncounted());
    this.#use = known + Math.min((resident - known) * UNKNOWN_WEIGHT, this.limit * MOST_UNKNOWN);
    this.#part = Math.max(this.#use / this.#usable, heapUsed / this.#heapLimit);
    const isShort = this.#part >= SHORT_FROM;
    if (isShort === this.#isShort) return;
    this.#isShort = isShort;
    this.#onChange(isShort, this.#use);
  }
}

function measureProcess(): MemoryUse {
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
  return { resident: rss - sharedBytes(), heap: heapTotal, heapUsed, external };
}

const PAGE_BYTES = 4096;
const STATM = '/proc/self/statm';
const hasStatm = existsSync(STATM);

/** Pages of files that are in memory for the process; 0 where the system does not say. */
function sharedBytes(): number {
  if (!hasStatm) return 0;
  return Number(readFileSync(STATM, 'latin1').split(' ')[2]) * PAGE_BYTES;
}

/** How much the heap of a process may grow beyond what is in use, in percent, before the engine collects. 0: what it thinks best. */
let growth = 0;
const GROWTH_WHILE_SHORT = 20;
/** Left to itself, the engine lets a small heap grow to its fourfold. To collect twice as often costs a server a hundredth of its time. */
const GROWTH_OF_SERVER = 100;

const growBy = (percent: number): void => setFlagsFromString(`--heap-growing-percent=${percent}`);

/** Has the engine collect garbage earlier than it would, in a process that is a server and nothing else. */
export function keepHeapSmall(): void {
  growth = GROWTH_OF_SERVER;
  growBy(growth);
}

/** Has the engine collect garbage earlier while memory is short. */
export const collectEarlier = (isShort: boolean): void => growBy(isShort ? GROWTH_WHILE_SHORT : growth);
