import { hash } from 'node:crypto';
import { BoundedCache, textBytes, valueBytes } from '../bounds/bounded-cache.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** Of each sort of answers. */
const CAPACITY = 8 << 20;

interface Entry<T> {
  readonly answer: T;
  /** On the monotonic clock. */
  readonly until: number;
}

export interface RememberedAnswersOptions<T> {
  /** Of the cache. */
  readonly name: string;
  /** Says yes: remembered apart from the others and for a time of its own. */
  readonly isYes: (answer: T) => boolean;
  readonly yesMs: number;
  readonly noMs: number;
  readonly runtime: Runtime;
}

/**
 * Remembers for a while what others answered. Questions, which may hold secrets, are not kept. Those who want to know the
 * same at the same time ask once; a failure is not remembered.
 */
export class RememberedAnswers<T> {
  readonly #options: RememberedAnswersOptions<T>;
  /** Apart, so that made-up questions cannot crowd out those of users. */
  readonly #yes: BoundedCache<string, Entry<T>>;
  readonly #no: BoundedCache<string, Entry<T>>;
  readonly #asked = new Map<string, Promise<T>>();

  constructor(options: RememberedAnswersOptions<T>) {
    this.#options = options;
    this.#yes = answersFor(options.name, options.yesMs);
    this.#no = answersFor(options.name, options.noMs);
  }

  /** `ask` finds out; it rejects when that cannot be done now. */
  answerTo(question: string, ask: () => Promise<T>): T | Promise<T> {
    const key = hash('sha256', question, 'base64');
    const entry = this.#yes.get(key) ?? this.#no.get(key);
    if (entry && this.#options.runtime.monotonic() < entry.until) return entry.answer;
    const asked = this.#asked.get(key) ?? this.#ask(key, ask);
    this.#asked.set(key, asked);
    return asked;
  }

  async #ask(key: string, ask: () => Promise<T>): Promise<T> {
    try {
      const answer = await ask();
      this.#remember(key, answer);
      return answer;
    } finally {
      this.#asked.delete(key);
    }
  }

  #remember(key: string, answer: T): void {
    const { isYes, yesMs, noMs, runtime } = this.#options;
    this.#yes.delete(key);
    this.#no.delete(key);
    const [entries, ttlMs] = isYes(answer) ? [this.#yes, yesMs] : [this.#no, noMs];
    entries.set(key, { answer, until: runtime.monotonic() + ttlMs });
  }
}

const answersFor = <T>(name: string, keepIdleMs: number): BoundedCache<string, Entry<T>> =>
  new BoundedCache({
    name,
    capacity: CAPACITY,
    keepIdleMs,
    sizeOf: (key, { answer }) => textBytes(key) + valueBytes(answer),
  });
