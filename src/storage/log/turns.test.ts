import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { Deadline } from '../../runtime/deadline.ts';
import { type Runtime, systemRuntime } from '../../runtime/runtime.ts';
import { Turns } from './turns.ts';

/** A runtime whose timers go off when the test says so. */
function manualRuntime(): { runtime: Runtime; timers: Set<() => void> } {
  const timers = new Set<() => void>();
  const after: Runtime['after'] = (_milliseconds, callback) => {
    timers.add(callback);
    return { cancel: () => void timers.delete(callback) };
  };
  return { runtime: { ...systemRuntime, after }, timers };
}

const ticks = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('turns', () => {
  it('come in the order in which they were asked for, one at a time, whatever happens in them', async () => {
    const turns = new Turns(systemRuntime);
    const events: string[] = [];
    const all = ['a', 'b', 'c', 'd'].map((name) =>
      turns.take('key', async () => {
        events.push(`${name} begins`);
        await ticks();
        events.push(`${name} ends`);
        if (name === 'b') throw new Error('b failed');
        return name;
      }),
    );
    const outcomes = await Promise.allSettled(all);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(events).toEqual(['a', 'b', 'c', 'd'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  it('are given up when the deadline is over, and those behind still wait for those before', async () => {
    const turns = new Turns(systemRuntime);
    const events: string[] = [];
    const gate = new EventEmitter();
    const first = turns.take('key', () => once(gate, 'open'));
    const deadline = new Deadline(Number.POSITIVE_INFINITY, systemRuntime);
    const second = turns.take('key', async () => void events.push('second'), deadline);
    const third = turns.take('key', async () => void events.push('third'));
    deadline.end();
    await expect(second).rejects.toMatchObject({ code: 504, reason: 'Timeout' });
    await ticks();
    expect(events).toEqual([]);
    gate.emit('open');
    await Promise.all([first, third]);
    expect(events).toEqual(['third']);
  });

  it('of one key do not wait for those of another', async () => {
    const turns = new Turns(systemRuntime);
    const stuck = turns.take('one', () => new Promise<string>((resolve) => setImmediate(() => resolve('one'))));
    expect(await Promise.race([stuck, turns.take('two', async () => 'two')])).toBe('two');
    await stuck;
  });

  it('that take too long are not waited for, so that nobody can wait for itself', async () => {
    const { runtime, timers } = manualRuntime();
    const turns = new Turns(runtime);
    const outer = turns.take('key', () => turns.take('key', async () => 'inner'));
    await ticks();
    expect(timers.size).toBe(1);
    for (const goOff of timers) goOff();
    expect(await outer).toBe('inner');
    expect(timers.size).toBe(0);
  });
});
