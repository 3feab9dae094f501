import { loadParts } from './bundle.mjs';

const BINDINGS = 5000;
const NAMESPACES = 50;
/** How often each question is asked in one round: its time is far above what the clock can tell apart. */
const ASKED = 200_000;

const ENTRY = `
export { authorizerFor } from './src/authorization/modes.ts';
export { bootstrapPolicy } from './src/authorization/bootstrap/policy.ts';
export { RbacIndex } from './src/authorization/rbac/rbac-index.ts';
export { NodeAuthorizer } from './src/authorization/node/node-authorizer.ts';
export { NodeRelations } from './src/authorization/node/node-relations.ts';
export { vocabularies } from './src/vocabulary/vocabulary.ts';
`;

const rule = (verbs, resources) => ({ verbs, apiGroups: [''], resources });

/** The bootstrap policy and, beside it, bindings in namespaces and across the cluster, to users, groups and accounts. */
function fill(index, { bootstrapPolicy, vocabularies }) {
  const apiGroup = vocabularies.platform.groups.rbac;
  for (const { kind, metadata, rules, subjects, roleRef } of bootstrapPolicy(vocabularies.platform)) {
    const { namespace = '', name } = metadata;
    if (kind.endsWith('Binding')) index.setBinding(namespace, name, subjects ?? [], roleRef);
    else index.setRole(namespace, name, rules);
  }
  for (let at = 0; at < BINDINGS; at++) {
    const namespace = at % 5 === 0 ? '' : `namespace-${at % NAMESPACES}`;
    const role = `role-${at % 500}`;
    const kind = ['User', 'Group', 'ServiceAccount'][at % 3];
    const subject = kind === 'ServiceAccount' ? { kind, namespace: 'accounts' } : { kind, apiGroup };
    index.setRole('', role, [
      rule(['get', 'list', 'watch'], ['configmaps', 'pods', 'pods/log']),
      rule(['*'], ['jobs']),
    ]);
    index.setBinding(namespace, `binding-${at}`, [{ ...subject, name: `subject-${at}` }], {
      apiGroup,
      kind: 'ClusterRole',
      name: role,
    });
  }
}

const person = (name, ...groups) => ({ name, uid: '', groups: [...groups, 'system:authenticated'], extra: new Map() });
/** Groups with bindings in other namespaces than the one asked about. */
const crowd = Array.from({ length: BINDINGS }, (_, at) => at)
  .filter((at) => at % 3 === 1 && at % 5 !== 0 && at % NAMESPACES !== 3)
  .slice(0, 20)
  .map((at) => `subject-${at}`);
const read = { verb: 'get', resource: 'configmaps', namespace: 'namespace-3', name: 'settings' };

/** Who asks for what, and whether it is allowed. */
const QUESTIONS = [
  ['a user, by a binding in the namespace', person('subject-3'), read, true],
  ['a user, by a binding across the cluster', person('subject-15'), read, true],
  ['a member of 21 groups, by the last', person('someone', ...crowd, 'subject-103'), read, true],
  ['a member of 20 groups, not allowed', person('someone', ...crowd), read, false],
  ['a stranger, not allowed', person('stranger'), read, false],
];

/** Processor time of one decision, for each question, over some rounds. */
export async function measureAuthorization({ rounds }) {
  const parts = await loadParts('authorization', ENTRY);
  const { authorizerFor, RbacIndex, NodeAuthorizer, NodeRelations, vocabularies } = parts;
  const { groups, annotations } = vocabularies.platform;
  const RBAC = new RbacIndex(groups.rbac);
  fill(RBAC, parts);
  const Node = new NodeAuthorizer(new NodeRelations(annotations.configMirror), vocabularies.platform);
  const authorizer = authorizerFor(['Node', 'RBAC'], { RBAC, Node });
  const asking = QUESTIONS.map(([name, user, wanted, allowed]) => {
    const { decision } = authorizer.authorize(attributesOf(user, wanted));
    if ((decision === 'allow') !== allowed) throw new Error(`${name}: the decision is ${decision}`);
    return { name, user, wanted, cpuMicros: [] };
  });
  // The first round is for the compiler.
  for (let round = 0; round <= rounds; round++) {
    for (const { user, wanted, cpuMicros } of asking) {
      const micros = timeOf(authorizer, user, wanted);
      if (round > 0) cpuMicros.push(micros);
    }
  }
  return asking.map(({ name, cpuMicros }) => ({ name, cpuMicros }));
}

function timeOf(authorizer, user, wanted) {
  const before = process.cpuUsage();
  for (let at = 0; at < ASKED; at++) authorizer.authorize(attributesOf(user, wanted));
  const { user: spent, system } = process.cpuUsage(before);
  return (spent + system) / ASKED;
}

/** Made anew for each question, as the server does. */
const attributesOf = (user, { verb, resource, namespace, name }) => ({
  user,
  verb,
  resourceRequest: true,
  group: '',
  version: 'v1',
  resource,
  subresource: '',
  namespace,
  name,
  path: '',
});
