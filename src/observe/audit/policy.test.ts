import { describe, expect, it } from 'vitest';
import { userNamed } from '../../api/user.ts';
import { readRequestInfo } from '../../request/request-info.ts';
import { compilePolicy } from './policy.ts';
import { readPolicy } from './policy-file.ts';

const GROUP = 'audit.platform.io';
const policyOf = (rules: readonly object[], more: object = {}) =>
  readPolicy({ apiVersion: `${GROUP}/v1`, kind: 'Policy', rules, ...more }, GROUP, () => {});

const alice = userNamed('alice', ['system:authenticated', 'dev']);

/** Whether a rule matches a request of alice's. */
function matches(rule: object, method: string, target: string): boolean {
  const treatmentOf = compilePolicy(policyOf([{ level: 'Metadata', ...rule }]));
  return treatmentOf({ user: alice, info: readRequestInfo(method, target) }).level === 'Metadata';
}

const POD = '/api/v1/namespaces/shop/pods/web';
const pods = (...resources: string[]) => ({ resources: [{ group: '', resources }] });

describe('a rule', () => {
  it.each([
    [{}, 'GET', POD, true],
    [{}, 'GET', '/healthz', true],
    [{ users: ['alice'] }, 'GET', POD, true],
    [{ users: ['bob'] }, 'GET', POD, false],
    [{ userGroups: ['ops', 'dev'] }, 'GET', POD, true],
    [{ userGroups: ['ops'] }, 'GET', POD, false],
    [{ verbs: ['get', 'list'] }, 'GET', POD, true],
    [{ verbs: ['list'] }, 'GET', POD, false],
    [{ verbs: ['watch'] }, 'GET', '/api/v1/pods?watch=1', true],
    [{ verbs: ['get'] }, 'GET', '/healthz', true],
    [{ namespaces: ['shop'] }, 'GET', POD, true],
    [{ namespaces: ['other'] }, 'GET', POD, false],
    [{ namespaces: [''] }, 'GET', '/api/v1/nodes', true],
    [{ namespaces: [''] }, 'GET', POD, false],
    [{ namespaces: [''] }, 'GET', '/healthz', false],
    [pods('pods'), 'GET', POD, true],
    [pods('pods'), 'GET', `${POD}/log`, false],
    [pods('pods/log'), 'GET', `${POD}/log`, true],
    [pods('pods/log'), 'GET', POD, false],
    [pods('pods/*'), 'GET', `${POD}/log`, true],
    [pods('pods/*'), 'GET', POD, true],
    [pods('pods/*'), 'GET', '/api/v1/nodes/pods/log', false],
    [pods('*/status'), 'GET', `${POD}/status`, true],
    [pods('*/status'), 'GET', `${POD}/log`, false],
    [pods('*/status'), 'GET', '/api/v1/namespaces/shop/configmaps/status', false],
    [pods('*'), 'GET', `${POD}/log`, true],
    [pods('*'), 'GET', '/apis/apps/v1/deployments', false],
    [pods('*'), 'GET', '/api', false],
    [pods('nodes', 'pods'), 'GET', POD, true],
    [{ resources: [{ group: 'apps' }] }, 'GET', '/apis/apps/v1/namespaces/a/deployments/x/scale', true],
    [{ resources: [{ group: 'apps' }] }, 'GET', POD, false],
    [{ resources: [{ group: 'apps' }, { group: '' }] }, 'GET', POD, true],
    [{ resources: [{ resources: ['pods'], resourceNames: ['web'] }] }, 'GET', POD, true],
    [{ resources: [{ resources: ['pods'], resourceNames: ['db'] }] }, 'GET', POD, false],
    [{ resources: [{ resources: ['pods'], resourceNames: ['web'] }] }, 'GET', '/api/v1/namespaces/shop/pods', false],
    [{ namespaces: ['shop'], ...pods('pods') }, 'GET', POD, true],
    [{ namespaces: ['other'], ...pods('pods') }, 'GET', POD, false],
    [{ nonResourceURLs: ['/healthz'] }, 'GET', '/healthz', true],
    [{ nonResourceURLs: ['/healthz'] }, 'GET', '/healthz/ping', false],
    [{ nonResourceURLs: ['/healthz*'] }, 'GET', '/healthz/ping?verbose', true],
    [{ nonResourceURLs: ['*'] }, 'GET', '/version', true],
    [{ nonResourceURLs: ['*'] }, 'GET', POD, false],
    [{ users: ['alice'], verbs: ['delete'], ...pods('pods') }, 'GET', POD, false],
  ])('%j and %s %s: %s', (rule, method, target, expected) => {
    expect(matches(rule, method, target)).toBe(expected);
  });

  it('about users does not match a request of nobody', () => {
    const treatmentOf = compilePolicy(policyOf([{ level: 'Request', users: ['alice'] }, { level: 'Metadata' }]));
    expect(treatmentOf({ user: undefined, info: readRequestInfo('GET', POD) }).level).toBe('Metadata');
  });
});

describe('a policy', () => {
  const info = readRequestInfo('GET', POD);

  it('goes by the first rule that matches, and records nothing without one', () => {
    const treatmentOf = compilePolicy(
      policyOf([
        { level: 'None', verbs: ['list'] },
        { level: 'Request', verbs: ['get', 'list'] },
        { level: 'Metadata', verbs: ['get'] },
      ]),
    );
    const levelOf = (method: string, target: string) =>
      treatmentOf({ user: alice, info: readRequestInfo(method, target) }).level;
    expect([levelOf('GET', POD), levelOf('GET', '/api/v1/pods'), levelOf('DELETE', POD)]).toEqual([
      'Request',
      'None',
      'None',
    ]);
  });

  it('leaves out the stages that it or the rule omits', () => {
    const treatmentOf = compilePolicy(
      policyOf([{ level: 'Metadata', omitStages: ['Panic'] }], { omitStages: ['RequestReceived'] }),
    );
    expect([...treatmentOf({ user: alice, info }).omitted]).toEqual(['RequestReceived', 'Panic']);
  });

  it.each([
    [{ omitManagedFields: true }, {}, true],
    [{ omitManagedFields: true }, { omitManagedFields: false }, false],
    [{}, { omitManagedFields: true }, true],
    [{}, {}, false],
  ])('%j with a rule %j omits managed fields: %s', (general, own, expected) => {
    const treatmentOf = compilePolicy(policyOf([{ level: 'Request', ...own }], general));
    expect(treatmentOf({ user: alice, info }).omitManagedFields).toBe(expected);
  });
});

describe('a policy file', () => {
  const read = (changes: object, warn: (text: string) => void = () => {}) =>
    readPolicy({ apiVersion: `${GROUP}/v1`, kind: 'Policy', rules: [{ level: 'None' }], ...changes }, GROUP, warn);
  const rule = (changes: object) => ({ rules: [{ level: 'None', ...changes }] });

  it.each([
    [{ apiVersion: 'audit.example.com/v1' }, /says apiVersion: audit.platform.io\/v1 and kind: Policy/],
    [{ kind: 'Config' }, /kind: Policy/],
    [{ rules: [] }, /at least one rule/],
    [{ rules: 'all' }, /is no audit policy: .*rules/],
    [{ omitStages: ['Never'] }, /omitStages\[0\]: Unsupported value: "Never"/],
    [rule({ level: '' }), /rules\[0\].level: Required value/],
    [rule({ level: 'All' }), /rules\[0\].level: Unsupported value: "All"/],
    [rule({ omitStages: ['x'] }), /rules\[0\].omitStages\[0\]: Unsupported/],
    [rule({ nonResourceURLs: ['healthz'] }), /must begin with a '\/'/],
    [rule({ nonResourceURLs: ['/a*/b'] }), /must be the final character/],
    [rule({ nonResourceURLs: ['/a'], namespaces: ['x'] }), /both regular resources and non-resource URLs/],
    [rule({ resources: [{ group: 'No Group' }] }), /rules\[0\].resources\[0\].group/],
    [rule({ resources: [{ resourceNames: ['x'] }] }), /requires at least one resource/],
  ])('with %j is refused', (changes, problem) => {
    expect(() => read(changes)).toThrow(problem);
  });

  it('tells of everything that is wrong at once', () => {
    expect(() => read({ rules: [{ level: 'x' }, { level: 'y' }] })).toThrow(/rules\[0\].*rules\[1\]/);
  });

  it('may have fields of a newer release, with a warning', () => {
    const warnings: string[] = [];
    read({ rules: [{ level: 'None', colour: 'red' }] }, (text) => warnings.push(text));
    expect(warnings).toEqual(['audit policies have no rules[0].colour']);
  });
});
