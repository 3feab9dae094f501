import { describe, expect, it } from 'vitest';
import { EMULATED_RELEASES, type Release } from '../../api/release.ts';
import type { MetricSpec } from './metric-spec.ts';
import { helpOf, isShown, showsHidden, stateOf } from './metric-state.ts';
import { METRICS } from './metrics.ts';

const RELEASE = '1.25';

const specOf = (deprecatedIn?: Release): MetricSpec => ({
  type: 'counter',
  stability: 'STABLE',
  help: 'Things.',
  labels: [],
  ...(deprecatedIn === undefined ? {} : { deprecatedIn }),
});

describe('a metric', () => {
  it.each<[Release | undefined, string, string, boolean, boolean]>([
    [undefined, 'current', '[STABLE] Things.', true, true],
    ['1.26', 'current', '[STABLE] Things.', true, true],
    ['1.25', 'deprecated', '[STABLE] (Deprecated since 1.25.0) Things.', true, true],
    ['1.22', 'deprecated', '[STABLE] (Deprecated since 1.22.0) Things.', true, true],
    ['1.21', 'hidden', '[STABLE] (Deprecated since 1.21.0) Things.', false, true],
    ['1.20', 'deleted', '[STABLE] (Deprecated since 1.20.0) Things.', false, false],
    ['1.9', 'deleted', '[STABLE] (Deprecated since 1.9.0) Things.', false, false],
  ])('deprecated in %s is %s in 1.25', (deprecatedIn, state, help, shown, shownOnRequest) => {
    const spec = specOf(deprecatedIn);
    expect(stateOf(spec, RELEASE)).toBe(state);
    expect(helpOf(spec, RELEASE)).toBe(help);
    expect(isShown(spec, RELEASE, false)).toBe(shown);
    expect(isShown(spec, RELEASE, true)).toBe(shownOnRequest);
  });

  it.each(EMULATED_RELEASES)('of the table is never one that should have been deleted, also in %s', (release) => {
    const specs: readonly MetricSpec[] = Object.values(METRICS);
    expect(specs.filter((spec) => stateOf(spec, release) === 'deleted')).toEqual([]);
  });

  it('of a later release is not shown before', () => {
    const spec: MetricSpec = { ...specOf(), addedIn: '1.26' };
    expect(['1.25', '1.26', '1.27'].map((release) => isShown(spec, release, true))).toEqual([false, true, true]);
  });

  it('whose stability nobody states has none in its description', () => {
    expect(helpOf({ ...specOf(), stability: 'UNSTATED' }, RELEASE)).toBe('Things.');
  });

  it('gives way to another in the release that deprecates it', () => {
    const { apiserver_request_slo_duration_seconds: slo, apiserver_request_sli_duration_seconds: sli } = METRICS;
    expect(['1.25', '1.26', '1.27', '1.31', '1.32'].map((release) => stateOf(slo, release))).toEqual([
      ...['current', 'current', 'deprecated', 'hidden', 'deleted'],
    ]);
    expect(['1.25', '1.26'].map((release) => stateOf(sli, release))).toEqual(['coming', 'current']);
  });
});

describe('hidden metrics', () => {
  it('are shown for the previous release and no other', () => {
    expect(showsHidden(undefined, RELEASE)).toBe(false);
    expect(showsHidden('', RELEASE)).toBe(false);
    expect(showsHidden('1.24', RELEASE)).toBe(true);
    for (const wrong of ['1.25', '1.23', '1.26', '2.24', 'x']) {
      expect(() => showsHidden(wrong, RELEASE)).toThrow('for version 1.24 only');
    }
  });
});
