import { describe, expect, it } from 'vitest';
import { MASTERS_GROUP, userNamed } from '../api/user.ts';
import { MemoryGuard } from '../bounds/memory-guard.ts';
import { contextFor } from '../handlers/test-context.ts';
import { Recorder } from '../observe/metrics/recorder.ts';
import { ManualRuntime } from '../storage/manual-runtime.ts';
import { InFlightLimiter } from './in-flight-limiter.ts';
import { MemoryCheck } from './memory-check.ts';

const someone = userNamed('someone', []);
const master = userNamed('root', [MASTERS_GROUP]);
const get = contextFor('GET', '/api/v1/pods');
const post = contextFor('POST', '/api/v1/namespaces/n/pods');
const watch = contextFor('GET', '/api/v1/pods?watch=1');

function limiterOf(reading: number, changing: number) {
  const dropped: string[] = [];
  const guard = new MemoryGuard({ limit: Number.POSITIVE_INFINITY, runtime: new ManualRuntime() });
  const memory = new MemoryCheck(guard, new Recorder());
  const onDropped = (kind: string): number => dropped.push(kind);
  return { dropped, limiter: new InFlightLimiter({ reading, changing, onDropped, memory }) };
}

describe('fixed limits', () => {
  it('refuse with 429 and when to come back, reading and changing apart, until a place is free again', () => {
    const { limiter, dropped } = limiterOf(1, 1);
    const place = limiter.enter(get, someone);
    expect(() => limiter.enter(get, someone)).toThrow(
      expect.objectContaining({ code: 429, reason: 'TooManyRequests', details: { retryAfterSeconds: 1 } }),
    );
    limiter.enter(post, someone);
    expect(() => limiter.enter(post, someone)).toThrow('too many requests, please try again later');
    expect(dropped).toEqual(['readOnly', 'mutating']);
    place?.leave();
    limiter.enter(get, someone)?.leave();
    limiter.enter(get, someone);
  });

  it('never refuse masters and what is long-running', () => {
    const { limiter, dropped } = limiterOf(1, 1);
    limiter.enter(get, someone);
    for (let more = 0; more < 3; more++) {
      expect(limiter.enter(get, master)).toBeUndefined();
      expect(limiter.enter(watch, someone)).toBeUndefined();
    }
    expect(dropped).toEqual([]);
  });

  it('of 0 are none', () => {
    const { limiter } = limiterOf(0, 0);
    for (let more = 0; more < 1000; more++) expect(limiter.enter(get, someone)).toBeDefined();
  });
});
