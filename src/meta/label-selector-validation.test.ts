import { describe, expect, it } from 'vitest';
import { causes, readAs } from '../../test/problems-of.ts';
import { Path } from '../schema/path.ts';
import { Problems } from '../schema/problems.ts';
import { LabelSelector } from './label-selector.ts';
import { isEmptySelector, isUnusableSelector, selects, validateLabelSelector } from './label-selector-validation.ts';

const problemsOf = (document: unknown): string[] => {
  const problems = new Problems();
  validateLabelSelector(readAs(LabelSelector, document), Path.of('spec', 'selector'), problems);
  return causes(problems);
};

const expression = (key: string, operator: string, ...values: string[]) => ({ key, operator, values });

describe('a label selector', () => {
  it('may use every operator', () => {
    const matchExpressions = [
      expression('a', 'In', 'b', 'c'),
      expression('x.y/a', 'NotIn', ''),
      expression('a', 'Exists'),
      expression('a', 'DoesNotExist'),
    ];
    expect(problemsOf({ matchLabels: { a: 'b' }, matchExpressions })).toEqual([]);
  });

  it.each([
    [{ matchLabels: { 'a b': 'c' } }, 'Invalid spec.selector.matchLabels'],
    [{ matchLabels: { a: 'b c' } }, 'Invalid spec.selector.matchLabels'],
    [{ matchExpressions: [expression('a', 'In')] }, 'Required spec.selector.matchExpressions[0].values'],
    [{ matchExpressions: [expression('a', 'NotIn')] }, 'Required spec.selector.matchExpressions[0].values'],
    [{ matchExpressions: [expression('a', 'Exists', 'b')] }, 'Forbidden spec.selector.matchExpressions[0].values'],
    [
      { matchExpressions: [expression('a', 'DoesNotExist', 'b')] },
      'Forbidden spec.selector.matchExpressions[0].values',
    ],
    [{ matchExpressions: [expression('a', 'Gt', '1')] }, 'Invalid spec.selector.matchExpressions[0].operator'],
    [{ matchExpressions: [expression('', 'Exists')] }, 'Invalid spec.selector.matchExpressions[0].key'],
  ])('like %j is refused', (selector, cause) => {
    expect(problemsOf(selector)).toEqual([cause]);
  });

  it.each([
    [{ matchLabels: { a: 'b' } }, { a: 'b', c: 'd' }, true],
    [{ matchLabels: { a: 'b' } }, { a: 'c' }, false],
    [{ matchLabels: { toString: 'b' } }, {}, false],
    [{ matchExpressions: [expression('a', 'In', 'b', 'c')] }, { a: 'c' }, true],
    [{ matchExpressions: [expression('a', 'In', 'b')] }, {}, false],
    [{ matchExpressions: [expression('a', 'NotIn', 'b')] }, {}, true],
    [{ matchExpressions: [expression('a', 'NotIn', 'b')] }, { a: 'b' }, false],
    [{ matchExpressions: [expression('a', 'Exists')] }, { a: '' }, true],
    [{ matchExpressions: [expression('a', 'DoesNotExist')] }, { a: '' }, false],
    [{}, {}, true],
  ])('%j against %j: %s', (selector, labels, match) => {
    expect(selects(readAs(LabelSelector, selector), labels)).toBe(match);
  });

  it('that is missing selects nothing', () => {
    expect(selects(undefined, {})).toBe(false);
  });

  it('is empty without labels and expressions, and of no use with values that no label can have', () => {
    expect(isEmptySelector({ matchLabels: {}, matchExpressions: [] })).toBe(true);
    expect(isEmptySelector({ matchLabels: { a: 'b' } })).toBe(false);
    expect(isUnusableSelector({ matchExpressions: [expression('a', 'In', 'b c')] })).toBe(true);
    expect(isUnusableSelector({ matchExpressions: [expression('a', 'In', 'b')] })).toBe(false);
  });
});
