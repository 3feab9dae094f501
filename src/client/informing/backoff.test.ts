import { describe, expect, it } from 'vitest';
import { systemRuntime } from '../../runtime/runtime.ts';
import { Backoff } from './backoff.ts';

/** The longest pauses after attempts that worked for so long each. */
function pauses(worked: readonly number[], askedMs = 0, random = 1): number[] {
  const backoff = new Backoff({ ...systemRuntime, random: () => random });
  return worked.map((milliseconds) => backoff.next(milliseconds, askedMs));
}

const alike = (count: number, milliseconds: number): number[] => new Array<number>(count).fill(milliseconds);

describe('pauses between attempts', () => {
  it('double up to half a minute when nothing works', () => {
    expect(pauses(alike(11, 0))).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 12800, 25600, 30000, 30000]);
    expect(pauses(alike(3, 0), 0, 0)).toEqual([50, 100, 200]);
  });

  it('are none after a connection that worked for a while, however often it is cut', () => {
    expect(pauses(alike(20, 5_000))).toEqual(alike(20, 0));
  });

  it('grow for connections that work for a moment each', () => {
    expect(Math.max(...pauses(alike(20, 150)))).toBe(30_000 - 150);
  });

  it('begin anew after one that worked for long', () => {
    expect(pauses([...alike(12, 0), 60_000, 0]).at(-1)).toBe(100);
  });

  it('are as long as the plane asks for and a little more, within bounds', () => {
    expect(pauses([0], 5_000)).toEqual([5_500]);
    expect(pauses([0], 86_400_000)).toEqual([660_000]);
  });
});
