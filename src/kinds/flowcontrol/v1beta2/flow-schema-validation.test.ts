import { describe, expect, it } from 'vitest';
import { changed, problemsOf, problemsOfChange } from '../../../../test/problems-of.ts';
import { FlowSchema } from './flow-schema.ts';
import { validateFlowSchema, validateFlowSchemaStatusUpdate } from './flow-schema-validation.ts';
import { PriorityLevelConfiguration } from './priority-level-configuration.ts';
import {
  validatePriorityLevelConfiguration,
  validatePriorityLevelConfigurationStatusUpdate,
} from './priority-level-configuration-validation.ts';

const resources = { verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['n'] };
const paths = { verbs: ['*'], nonResourceURLs: ['/', '/healthz', '/apis/*'] };
const user = { kind: 'User', user: { name: 'u' } };
const rule = { subjects: [user], resourceRules: [resources], nonResourceRules: [paths] };
const schema = {
  metadata: { name: 's' },
  spec: {
    priorityLevelConfiguration: { name: 'l' },
    matchingPrecedence: 5,
    distinguisherMethod: { type: 'ByUser' },
    rules: [rule],
  },
};
const about = (change: object) => ({ spec: { rules: [{ ...rule, ...change }] } });
const at = 'spec.rules[0]';

describe('a flow schema', () => {
  const account = (serviceAccount: unknown) => about({ subjects: [{ kind: 'ServiceAccount', serviceAccount }] });
  const forResources = (change: object) => about({ resourceRules: [{ ...resources, ...change }] });
  const forPaths = (change: object) => about({ nonResourceRules: [{ ...paths, ...change }] });

  it.each([
    [{}, []],
    [account({ name: '*', namespace: 'n' }), []],
    [forResources({ namespaces: [], clusterScope: true }), []],
    [{ spec: { matchingPrecedence: 10001 } }, ['Invalid spec.matchingPrecedence']],
    [{ spec: { matchingPrecedence: -1 } }, ['Invalid spec.matchingPrecedence']],
    [{ spec: { matchingPrecedence: 1 } }, ['Invalid spec.matchingPrecedence']],
    [{ spec: { distinguisherMethod: { type: 'Odd' } } }, ['NotSupported spec.distinguisherMethod.type']],
    [{ spec: { priorityLevelConfiguration: { name: '' } } }, ['Required spec.priorityLevelConfiguration.name']],
    [{ spec: { priorityLevelConfiguration: { name: 'A' } } }, ['Invalid spec.priorityLevelConfiguration.name']],
    [about({ subjects: [] }), [`Required ${at}.subjects`]],
    [about({ resourceRules: [], nonResourceRules: [] }), [`Required ${at}`]],
    [about({ subjects: [{ kind: 'Odd' }] }), [`NotSupported ${at}.subjects[0].kind`]],
    [about({ subjects: [{ kind: 'User' }] }), [`Required ${at}.subjects[0].user`]],
    [about({ subjects: [{ kind: 'User', user: { name: '' } }] }), [`Required ${at}.subjects[0].user.name`]],
    [about({ subjects: [{ ...user, group: { name: 'g' } }] }), [`Forbidden ${at}.subjects[0].group`]],
    [about({ subjects: [{ kind: 'Group', group: { name: '' } }] }), [`Required ${at}.subjects[0].group.name`]],
    [account({ name: '', namespace: 'n' }), [`Required ${at}.subjects[0].serviceAccount.name`]],
    [account({ name: 'A', namespace: 'n' }), [`Invalid ${at}.subjects[0].serviceAccount.name`]],
    [account({ name: 'a' }), [`Required ${at}.subjects[0].serviceAccount.namespace`]],
    [forResources({ verbs: [] }), [`Required ${at}.resourceRules[0].verbs`]],
    [forResources({ verbs: ['fly'] }), [`NotSupported ${at}.resourceRules[0].verbs`]],
    [forResources({ verbs: ['*', 'get'] }), [`Invalid ${at}.resourceRules[0].verbs`]],
    [forResources({ apiGroups: [] }), [`Required ${at}.resourceRules[0].apiGroups`]],
    [forResources({ apiGroups: ['*', 'a'] }), [`Invalid ${at}.resourceRules[0].apiGroups`]],
    [forResources({ resources: [] }), [`Required ${at}.resourceRules[0].resources`]],
    [forResources({ resources: ['*', 'a'] }), [`Invalid ${at}.resourceRules[0].resources`]],
    [forResources({ namespaces: [] }), [`Required ${at}.resourceRules[0].namespaces`]],
    [forResources({ namespaces: ['*', 'a'] }), [`Invalid ${at}.resourceRules[0].namespaces`]],
    [forResources({ namespaces: ['A'] }), [`Invalid ${at}.resourceRules[0].namespaces[0]`]],
    [forPaths({ nonResourceURLs: [] }), [`Required ${at}.nonResourceRules[0].nonResourceURLs`]],
    [forPaths({ nonResourceURLs: ['*', '/a'] }), [`Invalid ${at}.nonResourceRules[0].nonResourceURLs`]],
    [forPaths({ nonResourceURLs: ['a'] }), [`Invalid ${at}.nonResourceRules[0].nonResourceURLs[0]`]],
    [forPaths({ nonResourceURLs: ['/a*'] }), [`Invalid ${at}.nonResourceRules[0].nonResourceURLs[0]`]],
    [forPaths({ nonResourceURLs: ['/a//b'] }), [`Invalid ${at}.nonResourceRules[0].nonResourceURLs[0]`]],
    [{ metadata: { name: 'catch-all' } }, ['Invalid spec']],
  ])('with %j: %j', (change, causes) => {
    expect(problemsOf(FlowSchema, { validate: validateFlowSchema }, changed(schema, change))).toEqual(causes);
  });

  it('that is fixed may be what it is', () => {
    const everything = {
      resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    };
    const masters = { kind: 'Group', group: { name: 'system:masters' } };
    const document = {
      metadata: { name: 'exempt' },
      spec: {
        priorityLevelConfiguration: { name: 'exempt' },
        matchingPrecedence: 1,
        rules: [{ subjects: [masters], ...everything }],
      },
    };
    expect(problemsOf(FlowSchema, { validate: validateFlowSchema }, document)).toEqual([]);
  });

  it('has one condition of each type', () => {
    const status = { conditions: [{ type: 'a' }, { type: 'a' }, { type: '' }] };
    expect(problemsOfChange(FlowSchema, validateFlowSchemaStatusUpdate, schema, { ...schema, status })).toEqual([
      'Duplicate status.conditions[1].type',
      'Required status.conditions[2].type',
    ]);
  });
});

describe('a priority level', () => {
  const queuing = { queues: 64, handSize: 8, queueLengthLimit: 50 };
  const level = {
    metadata: { name: 'l' },
    spec: { type: 'Limited', limited: { assuredConcurrencyShares: 30, limitResponse: { type: 'Queue', queuing } } },
  };
  const queued = (change: object) => ({ spec: { limited: { limitResponse: { queuing: { ...queuing, ...change } } } } });
  const path = 'spec.limited.limitResponse';

  it.each([
    [{}, []],
    [{ metadata: { name: 'exempt' }, spec: { type: 'Exempt', limited: null } }, []],
    [{ spec: { limited: { limitResponse: { type: 'Reject', queuing: null } } } }, []],
    [{ spec: { type: 'Exempt', limited: null } }, ['Invalid spec.type']],
    [{ spec: { type: 'Odd' } }, ['NotSupported spec.type']],
    [{ metadata: { name: 'exempt' }, spec: { type: 'Exempt' } }, ['Forbidden spec.limited', 'Invalid spec']],
    [{ metadata: { name: 'catch-all' } }, ['Invalid spec']],
    [{ spec: { limited: { assuredConcurrencyShares: -1 } } }, ['Invalid spec.limited.assuredConcurrencyShares']],
    [{ spec: { limited: { limitResponse: { type: 'Odd' } } } }, [`NotSupported ${path}.type`]],
    [{ spec: { limited: { limitResponse: { type: 'Reject' } } } }, [`Forbidden ${path}.queuing`]],
    [queued({ queueLengthLimit: -1 }), [`Invalid ${path}.queuing.queueLengthLimit`]],
    [queued({ queues: 10_000_001, handSize: 1 }), [`Invalid ${path}.queuing.queues`]],
    [queued({ handSize: -1 }), [`Invalid ${path}.queuing.handSize`]],
    [queued({ handSize: 65 }), [`Invalid ${path}.queuing.handSize`]],
    [queued({ queues: 1024, handSize: 7 }), [`Invalid ${path}.queuing.handSize`]],
  ])('with %j: %j', (change, causes) => {
    const document = changed(level, change);
    expect(problemsOf(PriorityLevelConfiguration, { validate: validatePriorityLevelConfiguration }, document)).toEqual(
      causes,
    );
  });

  it('has conditions with a type', () => {
    const after = { ...level, status: { conditions: [{ type: '' }] } };
    expect(
      problemsOfChange(PriorityLevelConfiguration, validatePriorityLevelConfigurationStatusUpdate, level, after),
    ).toEqual(['Required status.conditions[0].type']);
  });
});
