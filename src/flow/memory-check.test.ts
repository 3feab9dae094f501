import { describe, expect, it } from 'vitest';
import { type Importance, MemoryGuard, type MemoryUse } from '../bounds/memory-guard.ts';
import { Recorder } from '../observe/metrics/recorder.ts';
import { readRequestInfo } from '../request/request-info.ts';
import { ManualRuntime } from '../storage/manual-runtime.ts';
import { importanceOf, MemoryCheck } from './memory-check.ts';

const LIMIT = 1000 << 20;
const MEGABYTE = 1 << 20;
const NOTHING: MemoryUse = { resident: 0, heap: 0, heapUsed: 0, external: 0 };

function checkOf() {
  const runtime = new ManualRuntime();
  const changes: boolean[] = [];
  let use = NOTHING;
  const guard = new MemoryGuard({
    limit: LIMIT,
    heapLimit: LIMIT,
    runtime,
    measure: () => use,
    onChange: (isShort) => changes.push(isShort),
  });
  const check = new MemoryCheck(guard, new Recorder());
  const become = (changed: Partial<MemoryUse>): void => {
    use = { ...NOTHING, ...changed };
    runtime.advance(100);
  };
  return { check, guard, changes, become };
}

/** The part of what can be used: some of the limit is kept in reserve. */
const full = (part: number): Partial<MemoryUse> => ({ resident: part * (LIMIT - 64 * MEGABYTE), heap: 2 * LIMIT });

const create = readRequestInfo('POST', '/api/v1/namespaces/n/pods');
const watch = readRequestInfo('GET', '/api/v1/pods?watch=1');
const list = readRequestInfo('GET', '/api/v1/pods');
const get = readRequestInfo('GET', '/api/v1/namespaces/n/pods/p');
const remove = readRequestInfo('DELETE', '/api/v1/namespaces/n/pods/p');
const health = readRequestInfo('GET', '/healthz');

describe('while memory is short', () => {
  it.each<[Importance, number, number]>([
    ['low', 0.74, 0.76],
    ['high', 0.81, 0.83],
    ['system', 0.87, 0.89],
    ['exempt', 0.94, 0.96],
  ])('what matters %s is refused from its part of the limit on', (importance, below, above) => {
    const { check, become } = checkOf();
    become(full(below));
    check.demand(create, importance, false);
    become(full(above));
    for (const info of [create, watch]) {
      expect(() => check.demand(info, importance, false)).toThrow(expect.objectContaining({ code: 429 }));
    }
    expect(() => check.demand(list, importance, true)).toThrow('too many requests');
  });

  it('reads of what is little, deletions and probes go on', () => {
    const { check, become } = checkOf();
    become(full(2));
    for (const info of [list, get, remove, health]) check.demand(info, 'low', false);
  });

  it('it is told once, and once when it is over', () => {
    const { guard, changes, become } = checkOf();
    for (const part of [0.1, 0.75, 0.8, 0.2, 0.2]) {
      become(full(part));
      guard.refuses('low');
    }
    expect(changes).toEqual([true, false]);
  });
});

describe('memory that counts', () => {
  it('is only in part what is resident and not known to be in use, so that this alone refuses nothing', () => {
    const { guard, become } = checkOf();
    become({ resident: 282 * MEGABYTE, heap: 100 * MEGABYTE, external: 50 * MEGABYTE });
    expect(guard.use).toBe(232 * MEGABYTE);
    become({ resident: 3 * LIMIT, heap: 100 * MEGABYTE, external: 50 * MEGABYTE });
    expect(guard.use).toBe(432 * MEGABYTE);
    expect(guard.refuses('low')).toBe(false);
  });

  it('is the heap alone where that comes close to what the engine allows', () => {
    const { guard, become } = checkOf();
    become({ resident: 100 * MEGABYTE, heapUsed: 0.8 * LIMIT });
    expect([guard.refuses('low'), guard.refuses('high')]).toEqual([true, false]);
  });
});

it('levels matter by their names, and those that are not known least', () => {
  const names = ['exempt', 'system', 'node-high', 'leader-election', 'workload-high', 'workload-low', 'mine'];
  expect(names.map(importanceOf)).toEqual(['exempt', 'system', 'system', 'system', 'high', 'low', 'low']);
});
