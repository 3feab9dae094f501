import type { Importance, MemoryGuard } from '../bounds/memory-guard.ts';
import type { Recorder } from '../observe/metrics/recorder.ts';
import { isLongRunning } from '../request/long-running.ts';
import type { RequestInfo } from '../request/request-info.ts';
import { overloaded } from './limiter.ts';

const WRITING: ReadonlySet<string> = new Set(['create', 'update', 'patch']);

/** Levels that keep the system going. */
const SYSTEM_LEVELS: ReadonlySet<string> = new Set(['system', 'node-high', 'leader-election']);
const HIGH_LEVELS: ReadonlySet<string> = new Set(['workload-high']);

/** How much the requests of a priority level matter, by its name. */
export function importanceOf(level: string): Importance {
  if (level === 'exempt') return 'exempt';
  if (SYSTEM_LEVELS.has(level)) return 'system';
  return HIGH_LEVELS.has(level) ? 'high' : 'low';
}

/** Refuses requests that take memory while there is little of it, those that matter least first. */
export class MemoryCheck {
  readonly #guard: MemoryGuard;
  readonly #recorder: Recorder;

  constructor(guard: MemoryGuard, recorder: Recorder) {
    this.#guard = guard;
    this.#recorder = recorder;
    recorder.collect('apiserver_memory_limit_bytes', () => [{ labels: [], value: guard.limit }]);
    recorder.collect('apiserver_memory_use_bytes', () => [{ labels: [], value: guard.use }]);
  }

  /** Whether anyone's requests would be refused now. Cheap. */
  get isShort(): boolean {
    return this.#guard.refuses('low');
  }

  /** Throws 429. `isLong`: it is a list of many objects. */
  demand(info: RequestInfo, importance: Importance, isLong: boolean): void {
    if (!isLong && !takesMemory(info)) return;
    if (!this.#guard.refuses(importance)) return;
    this.#recorder.number('apiserver_memory_refused_requests_total', [importance]).value++;
    throw overloaded();
  }
}

/** Reads of single objects and deletions go on whatever happens: they are how an operator makes room. */
const takesMemory = (info: RequestInfo): boolean =>
  info.resourceRequest && (WRITING.has(info.verb) || isLongRunning(info));
