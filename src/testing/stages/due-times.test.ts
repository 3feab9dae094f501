import { describe, expect, it } from 'vitest';
import { ManualRuntime } from '../../storage/manual-runtime.ts';
import { DueTimes } from './due-times.ts';

describe('due times', () => {
  it('call keys in the order of their moments, with one timer for all of them', () => {
    const runtime = new ManualRuntime();
    const called: string[] = [];
    const due = new DueTimes(runtime, (key) => called.push(key));
    for (let number = 0; number < 1_000; number++) due.set(`key-${number}`, 1_000 - number);
    expect([due.size, runtime.timers]).toEqual([1_000, 1]);
    runtime.advance(2);
    expect(called).toEqual(['key-999', 'key-998']);
    runtime.advance(998);
    expect([called.length, due.size, runtime.timers]).toEqual([1_000, 0, 0]);
  });

  it('call a key once, at the moment that was said last, and not at all when it was taken back', () => {
    const runtime = new ManualRuntime();
    const called: string[] = [];
    const due = new DueTimes(runtime, (key) => called.push(key));
    due.set('a', 10);
    due.set('a', 30);
    due.set('b', 20);
    due.delete('b');
    runtime.advance(29);
    expect(called).toEqual([]);
    runtime.advance(1);
    expect(called).toEqual(['a']);
  });

  it('leave no timer when they are cleared', () => {
    const runtime = new ManualRuntime();
    const due = new DueTimes(runtime, () => {});
    due.set('a', 10);
    due.clear();
    expect(runtime.timers).toBe(0);
  });
});
