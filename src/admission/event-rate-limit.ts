import { hash } from 'node:crypto';
import { ApiError } from '../api/errors.ts';
import type { Event } from '../kinds/core/event/event.ts';
import type { AdmissionRequest } from '../registry/admission.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { AdmissionPlugin } from './chain.ts';
import type { EventLimit, LimitType } from './event-rate-limit-configuration.ts';
import { TokenBucket } from './token-bucket.ts';

/** What an event is counted under. */
const KEYS: Readonly<Record<LimitType, (request: AdmissionRequest) => string>> = {
  Server: () => '',
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.name,
  SourceAndObject({ object }) {
    const { source, involvedObject: about } = object as Event;
    const parts = [about.kind, about.namespace, about.name, about.uid, about.apiVersion];
    return [source?.component, source?.host, ...parts].map((part) => part ?? '').join('');
  },
};

/** Keeps a flood of events away from the store: what exceeds any of the limits is answered with 429. */
export class EventRateLimit implements AdmissionPlugin {
  readonly name = 'EventRateLimit';
  readonly operations = ['CREATE', 'UPDATE'] as const;
  private readonly limiters: readonly Limiter[];

  constructor(limits: readonly EventLimit[], runtime: Runtime) {
    this.limiters = limits.map((limit) => new Limiter(limit, runtime));
  }

  /** Events of either group are stored as one kind. */
  concerns({ group, plural }: ResourceType, subresource: string): boolean {
    return group === '' && plural === 'events' && subresource === '';
  }

  validate(request: AdmissionRequest): void {
    if (request.dryRun) return;
    // Every limit counts every event, also one that another limit refuses.
    const reached = this.limiters.flatMap((limiter) => limiter.problemOf(request) ?? []);
    const problem = reached.at(-1);
    if (problem !== undefined) throw new ApiError('TooManyRequests', `Too many requests: ${problem}`);
  }
}

/** Clients choose the keys: of a longer one the digest is kept. */
const LONGEST_KEY = 256;

/** One limit, with a bucket for everyone it tells apart; who was not heard of for longest is forgotten first. */
class Limiter {
  private readonly limit: EventLimit;
  private readonly runtime: Runtime;
  private readonly buckets = new Map<string, TokenBucket>();

  constructor(limit: EventLimit, runtime: Runtime) {
    this.limit = limit;
    this.runtime = runtime;
  }

  problemOf(request: AdmissionRequest): string | undefined {
    const { type } = this.limit;
    const key = KEYS[type](request);
    return this.bucketOf(key.length > LONGEST_KEY ? hash('sha256', key, 'base64') : key).take()
      ? undefined
      : `limit reached on type ${type} for key ${key}`;
  }

  private bucketOf(key: string): TokenBucket {
    const { qps, burst, cacheSize } = this.limit;
    const bucket = this.buckets.get(key) ?? new TokenBucket(qps, burst, this.runtime);
    this.buckets.delete(key);
    this.buckets.set(key, bucket);
    if (this.buckets.size > cacheSize) {
      const [oldest] = this.buckets.keys();
      if (oldest !== undefined) this.buckets.delete(oldest);
    }
    return bucket;
  }
}
