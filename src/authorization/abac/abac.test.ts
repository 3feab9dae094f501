import { describe, expect, it } from 'vitest';
import { type UserInfo, userNamed } from '../../api/user.ts';
import type { Attributes } from '../attributes.ts';
import { AbacAuthorizer } from './abac-authorizer.ts';
import { readPolicies } from './policy-file.ts';

const GROUP = 'abac.authorization.platform.io';
const policy = (spec: object): string => JSON.stringify({ apiVersion: `${GROUP}/v1beta1`, kind: 'Policy', spec });

const reading = (...lines: string[]): AbacAuthorizer =>
  new AbacAuthorizer(readPolicies(lines.join('\n'), 'policies', GROUP));

const alice = userNamed('alice', ['dev', 'system:authenticated']);
const nobody = userNamed('system:anonymous', ['system:unauthenticated']);

const wanting = (changes: Partial<Attributes>, user = alice): Attributes => ({
  user,
  verb: 'get',
  resourceRequest: changes.path === undefined,
  group: '',
  version: 'v1',
  resource: changes.path === undefined ? 'pods' : '',
  subresource: '',
  namespace: changes.path === undefined ? 'ns' : '',
  name: '',
  path: '',
  ...changes,
});

const EVERYTHING = { apiGroup: '*', resource: '*', namespace: '*', nonResourcePath: '*' };
const PODS = { user: 'alice', resource: 'pods', namespace: 'ns' };

describe('a policy', () => {
  it.each<[string, object, Partial<Attributes>, UserInfo, boolean]>([
    ['allows a user what it says', PODS, {}, alice, true],
    ['allows it to nobody else', { ...PODS, user: 'bob' }, {}, alice, false],
    ['allows a group', { ...PODS, user: '', group: 'dev' }, {}, alice, true],
    ['allows no other group', { ...PODS, user: '', group: 'ops' }, {}, alice, false],
    ['of user and group needs both', { ...PODS, group: 'ops' }, {}, alice, false],
    ['of user and group is met by both', { ...PODS, group: 'dev' }, {}, alice, true],
    ['of nobody is for nobody', { ...PODS, user: '' }, {}, alice, false],
    ['of the user * is for all', { ...PODS, user: '*' }, {}, alice, true],
    ['of the group * is for all', { ...PODS, user: '', group: '*' }, {}, alice, true],
    ['of the user * is not for those without a name', { ...PODS, user: '*' }, {}, nobody, false],
    ['of the group * is not for them either', { ...PODS, user: '', group: '*' }, {}, nobody, false],
    ['names those without a name by theirs', { ...PODS, user: 'system:anonymous' }, {}, nobody, true],
    ['or by their group', { ...PODS, user: '', group: 'system:unauthenticated' }, {}, nobody, true],
    ['allows every verb', PODS, { verb: 'delete' }, alice, true],
    ['to read allows get', { ...PODS, readonly: true }, { verb: 'get' }, alice, true],
    ['to read allows list', { ...PODS, readonly: true }, { verb: 'list' }, alice, true],
    ['to read allows watch', { ...PODS, readonly: true }, { verb: 'watch' }, alice, true],
    ['to read allows no write', { ...PODS, readonly: true }, { verb: 'update' }, alice, false],
    ['to read allows no other verb', { ...PODS, readonly: true }, { verb: 'impersonate' }, alice, false],
    ['is about its resource alone', PODS, { resource: 'secrets' }, alice, false],
    ['is about subresources too', PODS, { subresource: 'log' }, alice, true],
    ['of the resource * is about all', { ...PODS, resource: '*' }, { resource: 'secrets' }, alice, true],
    ['of no resource is about none', { user: 'alice', namespace: '*', apiGroup: '*' }, {}, alice, false],
    ['is about its namespace alone', PODS, { namespace: 'other' }, alice, false],
    ['of the namespace * is about all', { ...PODS, namespace: '*' }, { namespace: 'other' }, alice, true],
    ['of the namespace * is about the cluster', { ...PODS, namespace: '*' }, { namespace: '' }, alice, true],
    ['of no namespace is about the cluster alone', { ...PODS, namespace: '' }, {}, alice, false],
    ['is about its API group alone', PODS, { group: 'apps' }, alice, false],
    ['of the API group * is about all', { ...PODS, apiGroup: '*' }, { group: 'apps' }, alice, true],
    [
      'of resources is not about paths',
      { ...EVERYTHING, user: 'alice', nonResourcePath: '' },
      { path: '/x' },
      alice,
      false,
    ],
    ['of paths is not about resources', { user: 'alice', nonResourcePath: '*' }, {}, alice, false],
    ['of paths allows the path', { user: 'alice', nonResourcePath: '/metrics' }, { path: '/metrics' }, alice, true],
    ['and no other path', { user: 'alice', nonResourcePath: '/metrics' }, { path: '/metrics/x' }, alice, false],
    ['allows what follows with *', { user: 'alice', nonResourcePath: '/m/*' }, { path: '/m/x/y' }, alice, true],
    ['of the path * allows all', { user: 'alice', nonResourcePath: '*' }, { path: '/any' }, alice, true],
    ['of no path allows not even an empty one', { user: 'alice' }, { path: '' }, alice, false],
    ['of the user __proto__ is for that one', { ...PODS, user: '__proto__' }, {}, alice, false],
  ])('%s', (_, spec, wanted, user, allowed) => {
    expect(reading(policy(spec)).authorize(wanting(wanted, user)).decision).toBe(allowed ? 'allow' : 'abstain');
  });

  it.each<[string, object, Partial<Attributes>, UserInfo, boolean]>([
    ['limits nothing that it leaves out', { user: 'alice' }, { group: 'apps', namespace: 'any' }, alice, true],
    ['reaches paths then', { user: 'alice' }, { path: '/metrics' }, alice, true],
    [
      'reaches no path when it names a resource',
      { user: 'alice', resource: 'pods' },
      { path: '/metrics' },
      alice,
      false,
    ],
    ['keeps to its resource', { user: 'alice', resource: 'pods' }, { resource: 'secrets' }, alice, false],
    ['keeps to its namespace', { user: 'alice', namespace: 'x' }, {}, alice, false],
    ['of nobody in particular is for all', {}, {}, alice, true],
    ['of nobody in particular is not for those without a name', {}, {}, nobody, false],
    ['of the user * neither', { user: '*' }, {}, nobody, false],
    ['can be to read', { user: 'alice', readonly: true }, { verb: 'create' }, alice, false],
  ])('of the older form %s', (_, fields, wanted, user, allowed) => {
    const versioned = { apiVersion: `${GROUP}/v0`, kind: 'Policy', ...fields };
    for (const line of [fields, versioned]) {
      const authorizer = reading(JSON.stringify(line));
      expect(authorizer.authorize(wanting(wanted, user)).decision).toBe(allowed ? 'allow' : 'abstain');
    }
  });
});

describe('a file of policies', () => {
  const lines = ['# who may do what', '', policy(PODS), `  ${policy({ ...PODS, user: 'bob' })}\r`];

  it('may have comments and empty lines', () => {
    const authorizer = reading(...lines);
    expect(authorizer.authorize(wanting({})).decision).toBe('allow');
    expect(authorizer.authorize(wanting({}, userNamed('bob', []))).decision).toBe('allow');
    expect(authorizer.authorize(wanting({}, userNamed('eve', [])))).toEqual({
      decision: 'abstain',
      reason: 'No policy matched.',
    });
  });

  it.each([
    ['not JSON', '{"user":', 'not JSON'],
    ['no object', '["alice"]', 'a policy must be an object'],
    ['of another kind', JSON.stringify({ kind: 'Pod', apiVersion: 'v1' }), 'kind must be Policy, not "Pod"'],
    [
      'of another version',
      JSON.stringify({ apiVersion: `${GROUP}/v2`, kind: 'Policy' }),
      `apiVersion must be ${GROUP}/v1beta1, not "${GROUP}/v2"`,
    ],
    ['with a typing error', policy({ user: 'alice', readOnly: true }), 'there is no field "readOnly"'],
    ['with a field in the wrong place', policy({}).replace('"spec"', '"user":"alice","spec"'), 'no field "user"'],
    ['with a field of the newer form', '{"user":"alice","apiGroup":"apps"}', 'there is no field "apiGroup"'],
    ['with a number', policy({ user: 7 }), 'user must be a string'],
    ['with a word for a switch', policy({ readonly: 'true' }), 'readonly must be true or false'],
    ['without a good spec', policy([]), 'spec must be an object'],
  ])('is refused with a line that is %s', (_, line, problem) => {
    let message = '';
    try {
      reading(...lines, line);
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain(`policies:${lines.length + 1}: `);
    expect(message).toContain(problem);
    expect(message).not.toContain('\n');
  });
});

it('the rules of a user are those of their policies', () => {
  const authorizer = reading(
    policy({ ...PODS, readonly: true }),
    policy({ group: 'dev', resource: '*', namespace: '*', apiGroup: 'apps' }),
    policy({ ...PODS, namespace: 'other' }),
    policy({ user: '*', namespace: '*', nonResourcePath: '/version' }),
  );
  expect(authorizer.rulesFor(alice, 'ns')).toEqual({
    resourceRules: [
      { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods'], resourceNames: [] },
      { verbs: ['*'], apiGroups: ['apps'], resources: ['*'], resourceNames: [] },
    ],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['/version'] }],
    incomplete: false,
    problem: '',
  });
});
