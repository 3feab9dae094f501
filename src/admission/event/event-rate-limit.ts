import { hash } from 'node:crypto';
import { ApiError } from '../../api/errors.ts';
import { Event } from '../../kinds/core/event/event.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { onKind, type WriteRequest } from '../rule.ts';
import type { EventLimit, LimitType } from './configuration.ts';
import { TokenBucket } from './token-bucket.ts';

/** What an event is counted under. */
const KEYS: Readonly<Record<LimitType, (request: WriteRequest<Event>) => string>> = {
  Server: () => '',
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.name,
  SourceAndObject({ object: { source, involvedObject: about } }) {
    const parts = [about.kind, about.namespace, about.name, about.uid, about.apiVersion];
    return [source?.component, source?.host, ...parts].map((part) => part ?? '').join('');
  },
};

/**
 * Keeps a flood of events away from the store: what exceeds any of the limits is answered with 429. Events of either group
 * are stored as one kind.
 */
export function eventRateLimit(limits: readonly EventLimit[], runtime: Runtime): AdmissionPlugin {
  const limiters = limits.map((limit) => new Limiter(limit, runtime));
  const count = (request: WriteRequest<Event>): void => {
    if (request.dryRun) return;
    // Every limit counts every event, also one that another limit refuses.
    const reached = limiters.flatMap((limiter) => limiter.problemOf(request) ?? []);
    const problem = reached.at(-1);
    if (problem !== undefined) throw new ApiError('TooManyRequests', `Too many requests: ${problem}`);
  };
  return { rules: [onKind(Event).validate({ write: count })] };
}

/** Clients choose the keys: of a longer one the digest is kept. */
const LONGEST_KEY = 256;

/** One limit, with a bucket for everyone it tells apart; who was not heard of for longest is forgotten first. */
class Limiter {
  readonly #limit: EventLimit;
  readonly #runtime: Runtime;
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(limit: EventLimit, runtime: Runtime) {
    this.#limit = limit;
    this.#runtime = runtime;
  }

  problemOf(request: WriteRequest<Event>): string | undefined {
    const { type } = this.#limit;
    const key = KEYS[type](request);
    return this.#bucketOf(key.length > LONGEST_KEY ? hash('sha256', key, 'base64') : key).take()
      ? undefined
      : `limit reached on type ${type} for key ${key}`;
  }

  #bucketOf(key: string): TokenBucket {
    const { qps, burst, cacheSize } = this.#limit;
    const bucket = this.#buckets.get(key) ?? new TokenBucket(qps, burst, this.#runtime);
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > cacheSize) {
      const [oldest] = this.#buckets.keys();
      if (oldest !== undefined) this.#buckets.delete(oldest);
    }
    return bucket;
  }
}
