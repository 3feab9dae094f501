import { describe, expect, it } from 'vitest';
import { problemsOf, problemsOfChange } from '../../../../test/problems-of.ts';
import { Namespace } from './namespace.ts';
import {
  validateNamespace,
  validateNamespaceFinalizeUpdate,
  validateNamespaceStatusUpdate,
} from './namespace-validation.ts';

const withFinalizers = (...finalizers: string[]) => ({ spec: { finalizers } });

describe('a namespace', () => {
  it('is held by names that are standard or have a domain', () => {
    const rules = { validate: validateNamespace };
    expect(problemsOf(Namespace, rules, withFinalizers('platform', 'x.y/z'))).toEqual([]);
    expect(problemsOf(Namespace, rules, withFinalizers('mine'))).toEqual(['Invalid spec.finalizers']);
    expect(problemsOf(Namespace, rules, withFinalizers('x.y/a b'))).toEqual(['Invalid spec.finalizers']);
  });

  it('that is finalized keeps to the same rule, told which name breaks it', () => {
    const finalize = (...finalizers: string[]) =>
      problemsOfChange(Namespace, validateNamespaceFinalizeUpdate, {}, withFinalizers(...finalizers));
    expect(finalize('platform')).toEqual([]);
    expect(finalize('x.y/z', 'mine')).toEqual(['Invalid spec.finalizers[1]']);
  });

  it.each([
    ['Active', undefined, []],
    ['Terminating', '2001-01-01T00:00:00Z', []],
    ['Terminating', undefined, ['Invalid status.Phase']],
    ['Active', '2001-01-01T00:00:00Z', ['Invalid status.Phase']],
  ])('in phase %s, deleted %s: %j', (phase, deletionTimestamp, causes) => {
    const document = { metadata: { deletionTimestamp }, status: { phase } };
    expect(problemsOfChange(Namespace, validateNamespaceStatusUpdate, {}, document)).toEqual(causes);
  });
});
