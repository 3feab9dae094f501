import { expect, it } from 'vitest';
import { ruleMatches } from './rules.ts';

const rule = { operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] };
const subject = {
  operation: 'CREATE',
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  subresource: '',
  namespaced: true,
  name: 'web',
};

it.each([
  [{}, {}, true],
  [{ operations: ['UPDATE'] }, {}, false],
  [{ operations: ['UPDATE', 'CREATE'] }, {}, true],
  [{ operations: ['*'] }, { operation: 'CONNECT' }, true],
  [{ apiGroups: [''] }, {}, false],
  [{ apiGroups: ['*'] }, { group: '' }, true],
  [{ apiVersions: ['v1beta1'] }, {}, false],
  [{ apiVersions: ['*'] }, { version: 'v2' }, true],
  [{ resources: ['replicasets'] }, {}, false],
  [{ resources: ['deployments'] }, { subresource: 'scale' }, false],
  [{ resources: ['deployments/scale'] }, {}, false],
  [{ resources: ['deployments/scale'] }, { subresource: 'scale' }, true],
  [{ resources: ['deployments/*'] }, {}, true],
  [{ resources: ['deployments/*'] }, { subresource: 'status' }, true],
  [{ resources: ['*'] }, {}, true],
  [{ resources: ['*'] }, { subresource: 'scale' }, false],
  [{ resources: ['*/scale'] }, { subresource: 'scale' }, true],
  [{ resources: ['*/scale'] }, { subresource: 'status' }, false],
  [{ resources: ['*/*'] }, {}, true],
  [{ resources: ['*/*'] }, { subresource: 'status' }, true],
  [{ scope: 'Cluster' }, {}, false],
  [{ scope: 'Cluster' }, { namespaced: false }, true],
  [{ scope: 'Namespaced' }, {}, true],
  [{ scope: 'Namespaced' }, { namespaced: false }, false],
  [{ scope: '*' }, { namespaced: false }, true],
  [{ resources: [] }, {}, false],
  [{ resourceNames: [] }, {}, true],
  [{ resourceNames: ['db', 'web'] }, {}, true],
  [{ resourceNames: ['db'] }, {}, false],
  [{ resourceNames: ['db'] }, { name: '' }, false],
])('a rule with %j for a request with %j: %s', (ruleChange, subjectChange, expected) => {
  expect(ruleMatches({ ...rule, ...ruleChange }, { ...subject, ...subjectChange })).toBe(expected);
});
