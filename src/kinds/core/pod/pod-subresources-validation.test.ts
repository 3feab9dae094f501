import { describe, expect, it } from 'vitest';
import { causes, readAs } from '../../../../test/problems-of.ts';
import { Problems } from '../../../schema/problems.ts';
import { Binding } from '../binding.ts';
import { PodLogOptions } from './pod-options.ts';
import { validatePodBinding, validatePodLogOptions } from './pod-subresources-validation.ts';

describe('a binding', () => {
  it.each([
    [{ kind: 'Node', name: 'n' }, []],
    [{ name: 'n' }, []],
    [{ kind: 'Pod', name: 'n' }, ['NotSupported target.kind']],
    [{ kind: 'Node' }, ['Required target.name']],
  ])('to %j: %j', (target, expected) => {
    const problems = new Problems();
    validatePodBinding(readAs(Binding, { target }), problems);
    expect(causes(problems)).toEqual(expected);
  });
});

describe('the options of a log', () => {
  it.each([
    [{ tailLines: 0, limitBytes: 1, sinceSeconds: 1 }, []],
    [{ tailLines: -1 }, ['Invalid tailLines']],
    [{ limitBytes: 0 }, ['Invalid limitBytes']],
    [{ sinceSeconds: 0 }, ['Invalid sinceSeconds']],
    [{ sinceSeconds: 1, sinceTime: '2001-01-01T00:00:00Z' }, ['Forbidden []']],
  ])('%j: %j', (options, expected) => {
    const problems = new Problems();
    validatePodLogOptions(readAs(PodLogOptions, options), problems);
    expect(causes(problems)).toEqual(expected);
  });
});
