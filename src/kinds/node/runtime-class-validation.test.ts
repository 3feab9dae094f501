import { describe, expect, it } from 'vitest';
import { problemsOf, problemsOfChange } from '../../../test/problems-of.ts';
import { RuntimeClass } from './runtime-class.ts';
import { validateRuntimeClass, validateRuntimeClassUpdate } from './runtime-class-validation.ts';

const toleration = { key: 'a', operator: 'Exists' };

describe('a runtime class', () => {
  it.each([
    [
      {
        handler: 'h',
        overhead: { podFixed: { cpu: '1', memory: '1Gi' } },
        scheduling: { nodeSelector: { a: 'b' }, tolerations: [toleration] },
      },
      [],
    ],
    [{ handler: 'A' }, ['Invalid handler']],
    [{ handler: 'h', overhead: { podFixed: { nonsense: '1' } } }, ['Invalid overhead.limits[nonsense]']],
    [{ handler: 'h', scheduling: { nodeSelector: { a: 'b c' } } }, ['Invalid scheduling.nodeSelector']],
    [
      { handler: 'h', scheduling: { tolerations: [{ key: 'a b', operator: 'Exists' }] } },
      ['Invalid scheduling.tolerations.tolerations[0].key'],
    ],
    [{ handler: 'h', scheduling: { tolerations: [toleration, toleration] } }, ['Duplicate scheduling.tolerations[1]']],
  ])('of %j: %j', (document, causes) => {
    expect(problemsOf(RuntimeClass, { validate: validateRuntimeClass }, document)).toEqual(causes);
  });

  it('keeps its handler', () => {
    const change = problemsOfChange(RuntimeClass, validateRuntimeClassUpdate, { handler: 'a' }, { handler: 'b' });
    expect(change).toEqual(['Invalid handler']);
  });
});
