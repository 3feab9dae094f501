import { describe, expect, it } from 'vitest';
import { readAs } from '../../../test/problems-of.ts';
import { Path } from '../../schema/path.ts';
import { Problems } from '../../schema/problems.ts';
import { JobSpec } from './job.ts';
import { validatePodFailurePolicy } from './pod-failure-policy-validation.ts';

const exit = (more: object) => ({ action: 'FailJob', onExitCodes: { operator: 'In', values: [1, 2], ...more } });
const condition = (more: object) => ({
  action: 'Ignore',
  onPodConditions: [{ type: 'DisruptionTarget', status: 'True', ...more }],
});

function problemsOf(rules: readonly object[], restartPolicy = 'Never'): string[] {
  const containers = [{ name: 'c', image: 'i' }];
  const spec = readAs(JobSpec, { podFailurePolicy: { rules }, template: { spec: { restartPolicy, containers } } });
  const problems = new Problems();
  validatePodFailurePolicy(spec, Path.of('spec'), problems);
  return problems.found.map(({ field }) => String(field).replace('spec.podFailurePolicy.', ''));
}

describe('rules for failed pods', () => {
  it.each([
    [[exit({})]],
    [[exit({ operator: 'NotIn', values: [0] })]],
    [[exit({ containerName: 'c' })]],
    [[condition({})]],
    [[]],
  ])('may be %j', (rules) => {
    expect(problemsOf(rules)).toEqual([]);
  });

  it.each([
    [exit({ values: [] }), 'rules[0].onExitCodes.values'],
    [exit({ values: [0] }), 'rules[0].onExitCodes.values[0]'],
    [exit({ values: [1, 1] }), 'rules[0].onExitCodes.values[1]'],
    [exit({ values: [2, 1] }), 'rules[0].onExitCodes.values'],
    [exit({ values: Array.from({ length: 256 }, (_, at) => at + 1) }), 'rules[0].onExitCodes.values'],
    [exit({ operator: 'Near' }), 'rules[0].onExitCodes.operator'],
    [exit({ containerName: 'other' }), 'rules[0].onExitCodes.containerName'],
    [{ ...exit({}), action: 'Odd' }, 'rules[0].action'],
    [{ ...exit({}), ...condition({}) }, 'rules[0]'],
    [{ action: 'Count' }, 'rules[0]'],
    [condition({ type: 'a b' }), 'rules[0].onPodConditions[0].type'],
    [condition({ status: 'Maybe' }), 'rules[0].onPodConditions[0].status'],
  ])('may not be %j', (rule, field) => {
    expect(problemsOf([rule])).toEqual([field]);
  });

  it('are at most twenty, of pods that are not restarted', () => {
    expect(problemsOf(Array.from({ length: 21 }, () => exit({})))).toEqual(['rules']);
    expect(problemsOf([exit({})], 'OnFailure')).toEqual(['spec.template.spec.restartPolicy']);
  });
});
