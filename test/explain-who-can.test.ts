import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPlane, startPlane } from '../src/server/server.ts';
import { vocabularies, vocabularyNames } from '../src/vocabulary/vocabulary.ts';

/** Who can do something, held against what access reviews answer about everybody there is. */

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

interface Binding {
  readonly metadata: { readonly namespace?: string };
  readonly subjects?: readonly Subject[] | null;
}

const some = (...words: string[]) => fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 2 });
const rule = fc.record(
  {
    verbs: some('get', 'list', '*'),
    apiGroups: some('', 'apps', '*'),
    resources: some('pods', 'pods/log', '*/log', 'namespaces', 'deployments', '*'),
    resourceNames: some('red', 'web'),
  },
  { requiredKeys: ['verbs', 'apiGroups', 'resources'] },
);
const pathRule = fc.record({ verbs: some('get', '*'), nonResourceURLs: some('/a', '/a/*', '*') });
const granted = fc.record({
  /** '' for a cluster role and a cluster-wide binding. */
  namespace: fc.constantFrom('', 'red', 'blue'),
  rules: fc.array(rule, { minLength: 1, maxLength: 2 }),
  paths: fc.array(pathRule, { maxLength: 1 }),
  subjects: fc.array(
    fc.record({
      kind: fc.constantFrom('User', 'Group', 'ServiceAccount'),
      name: fc.constantFrom('ann', 'bob'),
      namespace: fc.constantFrom('red', 'blue'),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  /** Of a binding in a namespace: whether it is to a cluster role. */
  isOfClusterRole: fc.boolean(),
  isMissing: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
});
const question: fc.Arbitrary<Question> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      verb: fc.constantFrom('get', 'list', 'delete'),
      group: fc.constantFrom('', 'apps'),
      resource: fc.constantFrom('pods', 'deployments', 'namespaces'),
      subresource: fc.constantFrom('', 'log'),
      namespace: fc.constantFrom('', 'red', 'blue'),
      name: fc.constantFrom('', 'red', 'web'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ verb: fc.constantFrom('get', 'put'), path: fc.constantFrom('/a', '/a/b', '/healthz') }),
  },
);
type Question =
  | { readonly verb: string; readonly path: string }
  | {
      readonly verb: string;
      readonly group: string;
      readonly resource: string;
      readonly subresource: string;
      readonly namespace: string;
      readonly name: string;
    };

describe.each(vocabularyNames)('who can, in the %s vocabulary,', (vocabulary) => {
  const { groups } = vocabularies[vocabulary];
  const RBAC = `/apis/${groups.rbac}/v1`;
  let plane: EmbeddedPlane;

  beforeAll(async () => {
    plane = await startPlane({ store: 'memory', vocabulary, freezeObjects: true });
    for (const name of ['red', 'blue']) await send('POST', '/api/v1/namespaces', { metadata: { name } });
  });
  afterAll(() => plane.close());

  async function send(method: string, target: string, document?: object) {
    const body = document === undefined ? {} : { body: JSON.stringify(document) };
    const reply = await plane.inject({ method, target, as: 'admin', ...body });
    const answer = JSON.parse(String(reply.body));
    if (reply.status >= 400) throw new Error(`${method} ${target}: ${answer.message}`);
    return answer;
  }

  const placeOf = (namespace: string, plural: string): string =>
    namespace === '' ? `${RBAC}/cluster${plural}` : `${RBAC}/namespaces/${namespace}/${plural}`;

  let made = 0;

  /** Makes a role and its binding; gives their paths. */
  async function grant(one: typeof granted extends fc.Arbitrary<infer T> ? T : never): Promise<string[]> {
    const { namespace, rules, paths, subjects, isOfClusterRole, isMissing } = one;
    const name = `made-${made++}`;
    const roleNamespace = isOfClusterRole ? '' : namespace;
    const roles = placeOf(roleNamespace, 'roles');
    const bindings = placeOf(namespace, 'rolebindings');
    if (!isMissing) {
      await send('POST', roles, { metadata: { name }, rules: [...rules, ...(roleNamespace === '' ? paths : [])] });
    }
    const roleRef = { apiGroup: groups.rbac, kind: roleNamespace === '' ? 'ClusterRole' : 'Role', name };
    await send('POST', bindings, {
      metadata: { name },
      roleRef,
      subjects: subjects.map(({ namespace: account, ...subject }) =>
        subject.kind === 'ServiceAccount' ? { ...subject, namespace: account } : subject,
      ),
    });
    return [`${bindings}/${name}`, ...(isMissing ? [] : [`${roles}/${name}`])];
  }

  /** Every subject of every binding, the privileged group, and some that nobody knows. */
  async function everybody(): Promise<readonly string[]> {
    const lists = await Promise.all(
      ['clusterrolebindings', 'rolebindings'].map((plural) => send('GET', `${RBAC}/${plural}`)),
    );
    const named = lists
      .flatMap(({ items }) => items as Binding[])
      .flatMap(({ metadata, subjects }) =>
        (subjects ?? []).map((subject) => wordsOf({ namespace: metadata.namespace ?? '', ...subject })),
      );
    const strangers = ['User/stranger', 'Group/strangers', 'ServiceAccount/red/stranger'];
    return [...new Set([...named, ...strangers, 'Group/system:masters'])].toSorted();
  }

  const wordsOf = ({ kind, name, namespace = '' }: Subject): string =>
    kind === 'ServiceAccount' ? `${kind}/${namespace}/${name}` : `${kind}/${name}`;

  /** Whether an access review lets one of them do it: a group as somebody who is nothing else. */
  async function isAllowed(subject: string, asked: Question): Promise<boolean> {
    const [kind, first = '', second = ''] = subject.split('/');
    const who =
      kind === 'Group'
        ? { user: 'member', groups: [first] }
        : { user: kind === 'User' ? first : `system:serviceaccount:${first}:${second}` };
    const spec = { ...asRequested(asked), ...who };
    const path = `/apis/${groups.authorization}/v1/subjectaccessreviews`;
    return (await send('POST', path, { spec })).status.allowed;
  }

  const asQuestion = (asked: Question): object =>
    'path' in asked ? { nonResourceAttributes: asked } : { resourceAttributes: asked };

  /** A request for one namespace is one in that namespace. */
  const asRequested = (asked: Question): object => {
    if ('path' in asked || asked.resource !== 'namespaces' || asked.group !== '' || asked.namespace !== '')
      return asQuestion(asked);
    const isOne = asked.name !== '' && (asked.subresource !== '' || asked.verb !== 'list');
    return asQuestion(isOne ? { ...asked, namespace: asked.name } : asked);
  };

  it('names exactly those about whom an access review says yes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(granted, { minLength: 1, maxLength: 6 }),
        fc.array(question, { minLength: 1, maxLength: 4 }),
        async (grants, questions) => {
          const paths = (await Promise.all(grants.map(grant))).flat();
          const all = await everybody();
          for (const asked of questions) {
            const { status } = await send('POST', `/apis/${groups.explain}/v1alpha1/whocanreviews`, {
              spec: asQuestion(asked),
            });
            const allowed = await Promise.all(all.map((subject) => isAllowed(subject, asked)));
            expect((status.subjects ?? []).map(wordsOf).toSorted()).toEqual(all.filter((_, at) => allowed[at]));
            expect([status.incomplete, status.omittedSubjects]).toEqual([false, undefined]);
          }
          await Promise.all(paths.map((path) => send('DELETE', path)));
        },
      ),
      { numRuns: 8 },
    );
  }, 60_000);
});
