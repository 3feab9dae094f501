import { describe, expect, it } from 'vitest';
import { problemsOf, problemsOfChange } from '../../../../test/problems-of.ts';
import { LimitRange } from './limit-range.ts';
import { validateLimitRange } from './limit-range-validation.ts';
import { ResourceQuota } from './resource-quota.ts';
import {
  validateResourceQuota,
  validateResourceQuotaStatusUpdate,
  validateResourceQuotaUpdate,
} from './resource-quota-validation.ts';

describe('a quota', () => {
  const scoped = (...matchExpressions: unknown[]) => ({ hard: { pods: '1' }, scopeSelector: { matchExpressions } });
  const at = 'spec.scopeSelector.matchExpressions';

  it.each([
    [
      {
        hard: {
          pods: '10',
          'requests.cpu': '4500m',
          'count/deployments.apps': '5',
          'gold.storageclass.storage.platform.io/requests.storage': '1Gi',
          'requests.example.com/gpu': '4',
        },
      },
      [],
    ],
    [{ hard: { pods: '1', cpu: '1' }, scopes: ['NotBestEffort', 'NotTerminating'] }, []],
    [scoped({ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }), []],
    [{ hard: { pods: '-1' } }, ['Invalid spec.hard[pods]']],
    [{ hard: { pods: '500m' } }, ['Invalid spec.hard[pods]']],
    [{ hard: { nonsense: '1' } }, ['Invalid spec.hard[nonsense]']],
    [{ hard: { 'a b': '1' } }, ['Invalid spec.hard[a b]']],
    [{ hard: { pods: '1' }, scopes: ['Odd'] }, ['Invalid spec.scopes']],
    [{ hard: { cpu: '1' }, scopes: ['BestEffort'] }, ['Invalid spec.scopes']],
    [{ hard: { pods: '1' }, scopes: ['BestEffort', 'NotBestEffort'] }, ['Invalid spec.scopes']],
    [{ hard: { pods: '1' }, scopes: ['Terminating', 'NotTerminating'] }, ['Invalid spec.scopes']],
    [scoped({ scopeName: 'Odd', operator: 'Exists' }), [`Invalid ${at}.scopeName`]],
    [scoped({ scopeName: 'PriorityClass', operator: 'Odd' }), [`Invalid ${at}.operator`]],
    [scoped({ scopeName: 'Terminating', operator: 'DoesNotExist' }), [`Invalid ${at}.operator`]],
    [scoped({ scopeName: 'PriorityClass', operator: 'In' }), [`Required ${at}.values`]],
    [scoped({ scopeName: 'PriorityClass', operator: 'Exists', values: ['a'] }), [`Invalid ${at}.values`]],
    [
      scoped({ scopeName: 'Terminating', operator: 'Exists' }, { scopeName: 'NotTerminating', operator: 'Exists' }),
      [`Invalid ${at}`],
    ],
  ])('of %j: %j', (spec, causes) => {
    expect(problemsOf(ResourceQuota, { validate: validateResourceQuota }, { spec })).toEqual(causes);
  });

  it('keeps its scopes, in any order', () => {
    const change = (scopes: string[]) =>
      problemsOfChange(
        ResourceQuota,
        validateResourceQuotaUpdate,
        { spec: { scopes: ['A', 'B'] } },
        { spec: { scopes } },
      );
    expect([change(['B', 'A']), change(['A'])]).toEqual([[], ['Invalid spec.scopes']]);
  });

  it('reports on what it bounds', () => {
    const report = (status: unknown) =>
      problemsOfChange(ResourceQuota, validateResourceQuotaStatusUpdate, {}, { status });
    expect(report({ hard: { pods: '1' }, used: { pods: '0' } })).toEqual([]);
    expect(report({ hard: { nonsense: '1' }, used: { pods: '-1' } })).toEqual([
      'Invalid status.hard[nonsense]',
      'Invalid status.used[pods]',
    ]);
  });
});

describe('a limit range', () => {
  const at = 'spec.limits[0]';

  it.each([
    [
      [
        {
          type: 'Container',
          min: { cpu: '100m' },
          defaultRequest: { cpu: '200m' },
          default: { cpu: '500m' },
          max: { cpu: '2' },
          maxLimitRequestRatio: { cpu: '10' },
        },
        { type: 'Pod', max: { memory: '1Gi' } },
        { type: 'PersistentVolumeClaim', min: { storage: '1Gi' } },
        { type: 'x.y/z', max: { storage: '1' } },
      ],
      [],
    ],
    [[{ type: 'Odd' }], [`Invalid ${at}.type`]],
    [[{ type: '' }], [`Invalid ${at}.type`]],
    [[{ type: 'Pod' }, { type: 'Pod' }], ['Duplicate spec.limits[1].type']],
    [[{ type: 'Pod', max: { nonsense: '1' } }], [`Invalid ${at}.max[nonsense]`]],
    [[{ type: 'Pod', default: { cpu: '1' } }], [`Forbidden ${at}.default`]],
    [[{ type: 'Pod', defaultRequest: { cpu: '1' } }], [`Forbidden ${at}.defaultRequest`]],
    [[{ type: 'PersistentVolumeClaim' }], [`Required ${at}.limits`]],
    [[{ type: 'Pod', min: { cpu: '2' }, max: { cpu: '1' } }], [`Invalid ${at}.min[cpu]`]],
    [
      [{ type: 'Container', default: { cpu: '3' }, max: { cpu: '2' } }],
      [`Invalid ${at}.defaultRequest[cpu]`, `Invalid ${at}.default[cpu]`],
    ],
    [
      [{ type: 'Container', default: { cpu: '1' }, defaultRequest: { cpu: '2' } }],
      [`Invalid ${at}.defaultRequest[cpu]`],
    ],
    [[{ type: 'Pod', maxLimitRequestRatio: { cpu: '500m' } }], [`Invalid ${at}.maxLimitRequestRatio[cpu]`]],
    [
      [{ type: 'Pod', min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } }],
      [`Invalid ${at}.maxLimitRequestRatio[cpu]`],
    ],
    [
      [{ type: 'Container', default: { 'example.com/gpu': '2' }, defaultRequest: { 'example.com/gpu': '1' } }],
      [`Invalid ${at}.defaultRequest[example.com/gpu]`],
    ],
  ])('of %j: %j', (limits, causes) => {
    expect(problemsOf(LimitRange, { validate: validateLimitRange }, { spec: { limits } })).toEqual(causes);
  });
});
