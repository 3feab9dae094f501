import { describe, expect, it } from 'vitest';
import { problemsOf, problemsOfChange } from '../../../../test/problems-of.ts';
import { PodDisruptionBudget } from './pod-disruption-budget.ts';
import {
  validatePodDisruptionBudget,
  validatePodDisruptionBudgetStatusUpdate,
} from './pod-disruption-budget-validation.ts';

const condition = {
  type: 'x.y/Ready',
  status: 'True',
  reason: 'Because',
  lastTransitionTime: '2001-01-01T00:00:00Z',
  message: '',
};

describe('a disruption budget', () => {
  it.each([
    [{ minAvailable: '50%', selector: { matchLabels: { a: 'b' } } }, []],
    [{ maxUnavailable: 1 }, []],
    [{ minAvailable: 1, maxUnavailable: 1 }, ['Invalid spec']],
    [{ minAvailable: -1 }, ['Invalid spec.minAvailable']],
    [{ maxUnavailable: 'x' }, ['Invalid spec.maxUnavailable']],
    [{ minAvailable: '101%' }, ['Invalid spec.minAvailable']],
    [{ selector: { matchLabels: { a: 'b c' } } }, ['Invalid spec.selector.matchLabels']],
  ])('of %j: %j', (spec, causes) => {
    expect(problemsOf(PodDisruptionBudget, { validate: validatePodDisruptionBudget }, { spec })).toEqual(causes);
  });

  it.each([
    [{ disruptionsAllowed: 1, conditions: [condition] }, []],
    [{ disruptionsAllowed: -1 }, ['Invalid status.disruptionsAllowed']],
    [{ currentHealthy: -1 }, ['Invalid status.currentHealthy']],
    [{ desiredHealthy: -1 }, ['Invalid status.desiredHealthy']],
    [{ expectedPods: -1 }, ['Invalid status.expectedPods']],
    [{ conditions: [condition, condition] }, ['Duplicate status.conditions[1].type']],
    [{ conditions: [{ ...condition, type: '' }] }, ['Invalid status.conditions[0].type']],
    [{ conditions: [{ ...condition, status: 'Maybe' }] }, ['NotSupported status.conditions[0].status']],
    [{ conditions: [{ ...condition, observedGeneration: -1 }] }, ['Invalid status.conditions[0].observedGeneration']],
    [
      { conditions: [{ ...condition, lastTransitionTime: null }] },
      ['Required status.conditions[0].lastTransitionTime'],
    ],
    [{ conditions: [{ ...condition, reason: '' }] }, ['Required status.conditions[0].reason']],
    [{ conditions: [{ ...condition, reason: 'a b' }] }, ['Invalid status.conditions[0].reason']],
    [{ conditions: [{ ...condition, message: 'a'.repeat(32769) }] }, ['TooLong status.conditions[0].message']],
  ])('in status %#: %j', (status, causes) => {
    const change = problemsOfChange(PodDisruptionBudget, validatePodDisruptionBudgetStatusUpdate, {}, { status });
    expect(change).toEqual(causes);
  });
});
