import { describe, expect, it } from 'vitest';
import { ABSTAIN } from './always.ts';
import type { Attributes } from './attributes.ts';
import { denialMessage, denied } from './denial.ts';

const listPods: Attributes = {
  user: { name: 'alice', uid: '', groups: [], extra: new Map() },
  verb: 'list',
  resourceRequest: true,
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'default',
  name: '',
  path: '/api/v1/namespaces/default/pods',
};
const getMetrics: Attributes = { ...listPods, verb: 'get', resourceRequest: false, path: '/metrics' };

describe('the text of a denial', () => {
  it.each<[string, Attributes, string, string]>([
    [
      'names the namespace',
      listPods,
      '',
      'User "alice" cannot list resource "pods" in API group "" in the namespace "default"',
    ],
    [
      'names the cluster scope',
      { ...listPods, namespace: '', group: 'apps', resource: 'deployments' },
      '',
      'User "alice" cannot list resource "deployments" in API group "apps" at the cluster scope',
    ],
    [
      'names the subresource',
      { ...listPods, verb: 'get', name: 'p', subresource: 'log' },
      '',
      'User "alice" cannot get resource "pods/log" in API group "" in the namespace "default"',
    ],
    ['names a path', getMetrics, '', 'User "alice" cannot get path "/metrics"'],
    ['ends in the reason', getMetrics, 'not today', 'User "alice" cannot get path "/metrics": not today'],
    [
      'quotes what clients chose',
      { ...getMetrics, path: '/"', user: { ...getMetrics.user, name: 'a"\n' } },
      '',
      'User "a\\"\\n" cannot get path "/\\""',
    ],
  ])('%s', (_, attributes, reason, text) => {
    expect(denialMessage(attributes, reason)).toBe(text);
  });
});

describe('the error of a denial', () => {
  it('is about the object, without its subresource', () => {
    const attributes = {
      ...listPods,
      verb: 'get',
      group: 'apps',
      resource: 'deployments',
      name: 'd',
      subresource: 'scale',
    };
    expect(denied(attributes, ABSTAIN)).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: `deployments.apps "d" is forbidden: ${denialMessage(attributes, '')}`,
      details: { name: 'd', group: 'apps', kind: 'deployments' },
    });
  });

  it('has no details for a path', () => {
    expect(denied(getMetrics, ABSTAIN)).toMatchObject({
      code: 403,
      message: 'forbidden: User "alice" cannot get path "/metrics"',
      details: {},
    });
  });
});
