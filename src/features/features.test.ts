import { describe, expect, it } from 'vitest';
import { FEATURES, type FeatureName } from './feature-table.ts';
import { Features } from './features.ts';

const namesOf = (features: Features, stage: string) => [...features.all()].filter((state) => state.stage === stage);

describe('features', () => {
  it('are off while they are alpha, and on once they are ga', () => {
    const features = new Features();
    expect(namesOf(features, 'alpha').filter(({ isOn }) => isOn)).toEqual([]);
    expect(namesOf(features, 'ga').filter(({ isOn }) => !isOn)).toEqual([]);
    expect(features.isOn('CronJobTimeZone')).toBe(true);
    expect(features.isOn('MinDomainsInPodTopologySpread')).toBe(false);
    expect(features.warnings).toEqual([]);
  });

  it('are switched by name, the last switch deciding', () => {
    const features = new Features(['JobPodFailurePolicy=true', 'CronJobTimeZone=true', 'CronJobTimeZone=false']);
    expect(features.isOn('JobPodFailurePolicy')).toBe(true);
    expect(features.isOn('CronJobTimeZone')).toBe(false);
    expect(features.isOn('HPAScaleToZero')).toBe(false);
  });

  it('are switched by stage where they have no switch of their own', () => {
    const features = new Features(['AllAlpha=true', 'AllBeta=false', 'HPAScaleToZero=false', 'CronJobTimeZone=true']);
    expect(namesOf(features, 'alpha').filter(({ isOn }) => !isOn)).toMatchObject([{ name: 'HPAScaleToZero' }]);
    expect(namesOf(features, 'beta').filter(({ isOn }) => isOn)).toMatchObject([{ name: 'CronJobTimeZone' }]);
    expect(namesOf(features, 'ga').every(({ isOn }) => isOn)).toBe(true);
  });

  it('that are ga cannot be switched off, and switching them on is noted', () => {
    expect(() => new Features(['ServerSideApply=false'])).toThrow(
      '--feature-gates: cannot set feature gate ServerSideApply to false, feature is locked to true',
    );
    expect(new Features(['ServerSideApply=true']).warnings).toEqual([
      'Setting GA feature gate ServerSideApply=true. It will be removed in a future release.',
    ]);
  });

  it('that are deprecated can be switched on, which is noted', () => {
    const features = new Features(['DynamicKubeletConfig=true']);
    expect(features.isOn('DynamicKubeletConfig')).toBe(true);
    expect(features.warnings).toHaveLength(1);
  });

  it.each([
    [['TaintBasedEvictions=true'], 'unrecognized feature gate: TaintBasedEvictions'],
    [['__proto__=true'], 'unrecognized feature gate: __proto__'],
    [['CronJobTimeZone'], '"CronJobTimeZone" must be a name, = and true or false'],
    [['CronJobTimeZone=yes'], 'invalid value of CronJobTimeZone=yes: it must be true or false'],
    [['CronJobTimeZone=true=false'], 'must be a name, = and true or false'],
  ])('are refused otherwise: %s', (switches, message) => {
    expect(() => new Features(switches)).toThrow(message);
  });

  it('have a switch from the release that brings them to the one that takes it away, and stay as they were then', () => {
    expect(() => new Features(['ComponentSLIs=true'])).toThrow('unrecognized feature gate: ComponentSLIs');
    expect(new Features(['ComponentSLIs=true'], '1.26').isOn('ComponentSLIs')).toBe(true);
    expect(new Features(['SuspendJob=true']).isOn('SuspendJob')).toBe(true);
    expect(() => new Features(['SuspendJob=true'], '1.26')).toThrow('unrecognized feature gate: SuspendJob');
    expect(new Features([], '1.26').isOn('SuspendJob')).toBe(true);
    expect(new Features([], '1.27').isOn('DynamicKubeletConfig')).toBe(false);
    const listed = [...new Features([], '1.27').all()].map(({ name }) => name);
    expect(listed).toContain('ComponentSLIs');
    expect(listed).not.toContain('SuspendJob');
  });

  it('go on from release to release', () => {
    expect(new Features([], '1.26').isOn('JobPodFailurePolicy')).toBe(true);
    expect(() => new Features(['CronJobTimeZone=false'], '1.26')).not.toThrow();
    expect(() => new Features(['CronJobTimeZone=false'], '1.27')).toThrow('locked to true');
    const stages = ['alpha', 'beta', 'ga'];
    for (const name of Object.keys(FEATURES) as FeatureName[]) {
      const steps: readonly { stage: string }[] = FEATURES[name];
      const order = steps.map(({ stage }) => stages.indexOf(stage)).filter((at) => at >= 0);
      expect(order, name).toEqual([...order].sort());
    }
  });
});
