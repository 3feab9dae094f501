import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../client/index.ts';
import { delayOf, isSelected } from './matching.ts';
import type { StageSelector } from './stage.ts';

const object = {
  kind: 'Thing',
  apiVersion: 'v1',
  metadata: { name: 'a', labels: { app: 'web' }, annotations: { note: 'x' }, finalizers: [] },
  spec: { replicas: 3, paused: false, list: [{ name: 'first' }] },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] },
} as unknown as AnyObject;

describe('a selector', () => {
  it.each<[StageSelector, boolean]>([
    [{}, true],
    [{ labels: { app: 'web' } }, true],
    [{ labels: { app: 'web', tier: 'x' } }, false],
    [{ annotations: { note: 'y' } }, false],
    [{ fields: { 'status.phase': 'Running', 'spec.replicas': ['2', '3'] } }, true],
    [{ fields: { 'spec.paused': 'false', 'spec.list.0.name': 'first' } }, true],
    [{ fields: { 'status.phase': ['Pending', 'Failed'] } }, false],
    [{ fields: { 'status.conditions': '' } }, false],
    [{ fields: { 'status.toString': 'x' } }, false],
    [{ present: ['spec.replicas', 'spec.paused'] }, true],
    [{ present: ['metadata.finalizers'] }, false],
    [{ absent: ['metadata.finalizers', 'metadata.deletionTimestamp', 'a.b.c'] }, true],
    [{ absent: ['status.phase'] }, false],
    [{ conditions: { Ready: 'False', Other: 'Unknown' } }, true],
    [{ conditions: { Ready: 'True' } }, false],
    [{ labels: { app: 'web' }, matches: () => false }, false],
  ])('%o: %s', (selector, selected) => {
    expect(isSelected(selector, object)).toBe(selected);
  });
});

describe('a delay between two times', () => {
  it('is the same for the same seed and names, another for others, and never outside', () => {
    const range = { from: '1s', to: '2s' };
    const drawn = Array.from({ length: 200 }, (_, number) => delayOf(range, '1', `pod-${number}`));
    expect(Array.from({ length: 200 }, (_, number) => delayOf(range, '1', `pod-${number}`))).toEqual(drawn);
    expect(Array.from({ length: 200 }, (_, number) => delayOf(range, '2', `pod-${number}`))).not.toEqual(drawn);
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(2_000);
    expect(new Set(drawn).size).toBeGreaterThan(100);
  });

  it('is refused where it ends before it begins, or is no time', () => {
    expect(() => delayOf({ from: '2s', to: '1s' }, '')).toThrow('from 2s to 1s');
    expect(() => delayOf('soon', '')).toThrow('"soon" is no duration');
  });
});
