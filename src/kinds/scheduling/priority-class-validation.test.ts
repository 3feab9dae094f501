import { describe, expect, it } from 'vitest';
import { problemsOf, problemsOfChange } from '../../../test/problems-of.ts';
import { PriorityClass } from './priority-class.ts';
import { validatePriorityClass, validatePriorityClassUpdate } from './priority-class-validation.ts';

const named = (name: string, value: number, more: object = {}) => ({ metadata: { name }, value, ...more });

describe('a priority class', () => {
  it.each([
    [named('a', 1_000_000_000, { preemptionPolicy: 'Never' }), []],
    [named('system-node-critical', 2_000_001_000), []],
    [named('a', 1_000_000_001), ['Forbidden value']],
    [named('system-x', 1), ['Forbidden metadata.name']],
    [named('system-cluster-critical', 1), ['Forbidden metadata.name']],
    [named('system-cluster-critical', 2_000_000_000, { globalDefault: true }), ['Forbidden metadata.name']],
    [named('a', 1, { preemptionPolicy: 'Odd' }), ['NotSupported preemptionPolicy']],
  ])('%j: %j', (document, causes) => {
    expect(problemsOf(PriorityClass, { validate: validatePriorityClass }, document)).toEqual(causes);
  });

  it('keeps its value and whom it displaces', () => {
    const change = (to: object) =>
      problemsOfChange(PriorityClass, validatePriorityClassUpdate, named('a', 1), named('a', 1, to));
    expect(change({ description: 'd' })).toEqual([]);
    expect(change({ value: 2 })).toEqual(['Forbidden value']);
    expect(change({ preemptionPolicy: 'Never' })).toEqual(['Invalid preemptionPolicy']);
  });
});
