import { describe, expect, it } from 'vitest';
import type { UserInfo } from '../../api/user.ts';
import { ABSTAIN } from '../../authorization/always.ts';
import type { Attributes } from '../../authorization/attributes.ts';
import { cacheSizes } from '../../bounds/caches.ts';
import { systemRuntime } from '../../runtime/runtime.ts';
import { DenialLog } from './denial-log.ts';
import type { Refusal } from './kept-denial.ts';

const user = (name: string, ...groups: string[]): UserInfo => ({ name, uid: '', groups, extra: new Map() });

const refusal = (who: UserInfo, name: string, others: Partial<Refusal> = {}): Refusal => {
  const attributes: Attributes = {
    user: who,
    verb: 'get',
    resourceRequest: true,
    group: '',
    version: 'v1',
    resource: 'secrets',
    subresource: '',
    namespace: 'default',
    name,
    path: `/api/v1/namespaces/default/secrets/${name}`,
  };
  const message = `secrets "${name}" is forbidden`;
  return { attributes, decision: ABSTAIN, message, modes: ['RBAC'], impersonator: '', auditId: 'audit', ...others };
};

const MOST_BYTES = 4 << 20;
const inMinutes = (minutes: () => number) => ({ ...systemRuntime, monotonic: () => minutes() * 60_000 });

describe('denials', () => {
  it('are found by their id until they are old', () => {
    let minute = 0;
    const log = new DenialLog(inMinutes(() => minute));
    const id = log.note(refusal(user('ann'), 'one')) ?? '';
    minute = 14;
    expect(log.find(id)?.refusal.attributes.name).toBe('one');
    expect(log.note(refusal(user('ann'), 'one'))).toBe(id);
    minute = 28;
    expect(log.all()).toMatchObject([{ id, count: 2 }]);
    minute = 30;
    expect([log.find(id), log.all(), log.entries]).toEqual([undefined, [], 1]);
    log.age();
    expect([log.entries, log.bytes]).toEqual([0, 0]);
  });

  it('of one caller take the place of that caller’s older ones alone', () => {
    const log = new DenialLog(systemRuntime);
    const one = log.note(refusal(user('ann'), 'one')) ?? '';
    const flood = Array.from({ length: 10_000 }, (_, at) => log.note(refusal(user('mallory'), `s${at}`)) ?? '');
    expect(log.entries).toBe(101);
    expect(log.find(one)).toBeDefined();
    expect(flood.slice(-100).every((id) => log.find(id))).toBe(true);
    expect(log.find(flood.at(-101) ?? '')).toBeUndefined();
  });

  it('count against whoever acts as others', () => {
    const log = new DenialLog(systemRuntime);
    for (let at = 0; at < 500; at++) log.note(refusal(user(`victim${at}`), 'one', { impersonator: 'mallory' }));
    expect(log.entries).toBe(100);
  });

  it('of very many callers stay within their bytes, and those of the loudest go first', () => {
    const log = new DenialLog(systemRuntime);
    const quiet = Array.from({ length: 50 }, (_, at) => log.note(refusal(user(`quiet${at}`), 'one')) ?? '');
    for (let caller = 0; caller < 200; caller++) {
      for (let at = 0; at < 100; at++) log.note(refusal(user(`loud${caller}`), `s${at}`));
      expect(log.bytes).toBeLessThanOrEqual(MOST_BYTES);
    }
    expect(quiet.every((id) => log.find(id))).toBe(true);
    expect(cacheSizes().find(({ name }) => name === 'denials')?.bytes).toBeGreaterThanOrEqual(log.bytes);
  });

  it('of callers with one each are so many as fit, and the oldest go first', () => {
    const log = new DenialLog(systemRuntime);
    const note = (caller: number): string => log.note(refusal(user(`caller${caller}`), 'one')) ?? '';
    const latest: string[] = [];
    for (let caller = 0; caller < 6_000; caller++) {
      latest.push(note(caller));
      // One comes again and again: it is never the oldest.
      if (caller % 1_000 === 500) latest.push(note(0));
      expect(log.bytes).toBeLessThanOrEqual(MOST_BYTES);
    }
    expect(log.bytes).toBeGreaterThan(0.99 * MOST_BYTES);
    expect(log.entries).toBeGreaterThan(2_000);
    expect(log.entries).toBeLessThan(3_000);
    const newestFirst = [...new Set(latest.toReversed())];
    expect(log.all().map(({ id }) => id)).toEqual(newestFirst.slice(0, log.entries).reverse());
    expect(log.find(latest[0] ?? '')).toMatchObject({ count: 7 });
  });

  it('count a user with many groups once, and what is too large not at all', () => {
    const log = new DenialLog(systemRuntime);
    const groups = (count: number) => Array.from({ length: count }, (_, at) => `a-group-with-a-long-name-${at}`);
    const ann = user('ann', ...groups(1_000));
    for (let at = 0; at < 90; at++) log.note(refusal(ann, `s${at}`));
    expect(log.entries).toBe(90);
    const before = log.bytes;
    expect(log.note(refusal(user('bob', ...groups(10_000)), 'one'))).toBeUndefined();
    expect([log.entries, log.bytes]).toEqual([90, before]);
    // The same caller with another token: what no longer fits goes.
    for (let at = 0; at < 90; at++) log.note(refusal(user('ann', ...groups(1_000)), `t${at}`));
    expect(log.entries).toBeLessThan(90);
    expect(log.bytes).toBeLessThanOrEqual(MOST_BYTES / 16);
  });
});
