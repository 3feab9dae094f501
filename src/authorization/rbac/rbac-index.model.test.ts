import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PolicyRule } from '../../kinds/rbac/policy-rule.ts';
import type { RoleRef, Subject } from '../../kinds/rbac/subject.ts';
import type { Attributes } from '../attributes.ts';
import { RbacIndex } from './rbac-index.ts';

interface StoredRole {
  readonly namespace: string;
  readonly name: string;
  readonly rules: readonly PolicyRule[];
}

interface StoredBinding {
  readonly namespace: string;
  readonly name: string;
  readonly subjects: readonly Subject[];
  readonly roleRef: RoleRef;
}

type Stored<T> = Map<string, T>;

/** The policy as it reads: every binding, every subject, every rule. Shares no code with the index. */
function naivelyAllowed(roles: Stored<StoredRole>, bindings: Stored<StoredBinding>, wanted: Attributes): boolean {
  return [...bindings.values()].some((binding) => {
    const { namespace, subjects, roleRef } = binding;
    if (namespace !== '' && (!wanted.resourceRequest || namespace !== wanted.namespace)) return false;
    if (!subjects.some((subject) => isSubject(subject, namespace, wanted))) return false;
    const role = [...roles.values()].find(
      (it) => it.name === roleRef.name && it.namespace === (roleRef.kind === 'Role' ? namespace : ''),
    );
    if (roleRef.kind === 'Role' && namespace === '') return false;
    return role?.rules.some((rule) => isAllowedBy(rule, wanted)) ?? false;
  });
}

function isSubject(subject: Subject, bindingNamespace: string, { user }: Attributes): boolean {
  if (subject.kind === 'User') return subject.name === user.name;
  if (subject.kind === 'Group') return user.groups.includes(subject.name);
  const namespace = subject.namespace || bindingNamespace;
  return namespace !== '' && user.name === `system:serviceaccount:${namespace}:${subject.name}`;
}

function isAllowedBy(rule: PolicyRule, wanted: Attributes): boolean {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  if (!verbs?.some((verb) => verb === '*' || verb === wanted.verb)) return false;
  if (!wanted.resourceRequest) {
    return nonResourceURLs.some(
      (url) => url === wanted.path || (url.endsWith('*') && wanted.path.startsWith(url.slice(0, -1))),
    );
  }
  if (!apiGroups.some((group) => group === '*' || group === wanted.group)) return false;
  if (resourceNames.length > 0 && !resourceNames.includes(wanted.name)) return false;
  const combined = wanted.subresource ? `${wanted.resource}/${wanted.subresource}` : wanted.resource;
  return resources.some(
    (it) => it === '*' || it === combined || (wanted.subresource !== '' && it === `*/${wanted.subresource}`),
  );
}

const some = (words: readonly string[]) => fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 2 });

const NAMESPACES = ['', 'x'];
const NAMES = ['a', 'b', '__proto__'];
const rule: fc.Arbitrary<PolicyRule> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      verbs: some(['get', 'list', '*']),
      apiGroups: some(['', 'apps', '*']),
      resources: some(['pods', 'pods/log', '*', '*/log', 'sets', 'pods/*']),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      verbs: some(['get', 'list', '*']),
      apiGroups: some(['', 'apps', '*']),
      resources: some(['pods', 'pods/log', '*', '*/log', 'sets']),
      resourceNames: some(['a', 'b', '*']),
    }),
  },
  { weight: 1, arbitrary: fc.record({ verbs: some(['get', '*']), nonResourceURLs: some(['/a', '/a/*', '/b', '*']) }) },
);
const role: fc.Arbitrary<StoredRole> = fc.record({
  namespace: fc.constantFrom(...NAMESPACES),
  name: fc.constantFrom(...NAMES),
  rules: fc.array(rule, { minLength: 1, maxLength: 3 }),
});
const subject: fc.Arbitrary<Subject> = fc.record(
  {
    kind: fc.constantFrom('User', 'Group', 'ServiceAccount'),
    name: fc.constantFrom(...NAMES),
    namespace: fc.constantFrom('x', 'y'),
  },
  { requiredKeys: ['kind', 'name'] },
);
const binding: fc.Arbitrary<StoredBinding> = fc.record({
  namespace: fc.constantFrom(...NAMESPACES),
  name: fc.constantFrom(...NAMES),
  subjects: fc.array(subject, { minLength: 2, maxLength: 4 }),
  roleRef: fc.record({
    apiGroup: fc.constant('g'),
    kind: fc.constantFrom('Role', 'ClusterRole'),
    name: fc.constantFrom(...NAMES),
  }),
});
const attributes: fc.Arbitrary<Attributes> = fc.record({
  user: fc.record({
    name: fc.constantFrom(...NAMES, 'system:serviceaccount:x:a', 'system:serviceaccount:y:b', 'constructor'),
    uid: fc.constant(''),
    groups: fc.uniqueArray(fc.constantFrom(...NAMES, 'c'), { maxLength: 3 }),
    extra: fc.constant(new Map()),
  }),
  verb: fc.constantFrom('get', 'list', 'delete'),
  resourceRequest: fc.boolean(),
  group: fc.constantFrom('', 'apps'),
  version: fc.constant('v1'),
  resource: fc.constantFrom('pods', 'sets', 'log'),
  subresource: fc.constantFrom('', 'log', 'status'),
  namespace: fc.constantFrom(...NAMESPACES),
  name: fc.constantFrom('', 'a', 'b', 'c'),
  path: fc.constantFrom('/a', '/a/b', '/b', '/c'),
});

type Step =
  | { readonly role: StoredRole; readonly gone: boolean }
  | { readonly binding: StoredBinding; readonly gone: boolean };

// Objects go more seldom than they come, or there would be no policy left to ask.
const gone = fc.nat(5).map((draw) => draw === 0);
const step: fc.Arbitrary<Step> = fc.oneof(fc.record({ role, gone }), fc.record({ binding, gone }));

function keep<T extends { namespace: string; name: string }>(stored: Stored<T>, object: T, isGone: boolean): void {
  const key = `${object.namespace}/${object.name}`;
  if (isGone) stored.delete(key);
  else stored.set(key, object);
}

it('the index decides as a reading of every binding does, whatever came and went before', () => {
  let allowed = 0;
  let asked = 0;
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 30, maxLength: 60 }),
      fc.array(attributes, { minLength: 50, maxLength: 50 }),
      (steps, questions) => {
        const index = new RbacIndex('g');
        const roles: Stored<StoredRole> = new Map();
        const bindings: Stored<StoredBinding> = new Map();
        for (const it of steps) {
          if ('role' in it) {
            const { namespace, name, rules } = it.role;
            keep(roles, it.role, it.gone);
            if (it.gone) index.removeRole(namespace, name);
            else index.setRole(namespace, name, rules);
          } else {
            const { namespace, name, subjects, roleRef } = it.binding;
            keep(bindings, it.binding, it.gone);
            if (it.gone) index.removeBinding(namespace, name);
            else index.setBinding(namespace, name, subjects, roleRef);
          }
        }
        for (const question of questions) {
          const expected = naivelyAllowed(roles, bindings, question);
          expect(index.authorize(question).decision).toBe(expected ? 'allow' : 'abstain');
          asked++;
          if (expected) allowed++;
        }
      },
    ),
    { numRuns: 200, seed: 1 },
  );
  // A model that hardly ever allows anything would prove little.
  expect(asked).toBeGreaterThanOrEqual(10_000);
  expect(allowed / asked).toBeGreaterThan(0.1);
});
