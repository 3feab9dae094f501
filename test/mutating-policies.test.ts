import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from './support/client.ts';
import { PolicyPlane } from './support/policy-plane.ts';

const GROUP = '/apis/admissionregistration.platform.io/v1';

let ground: PolicyPlane;

beforeAll(async () => {
  ground = await PolicyPlane.start({ featureGates: ['MutatingAdmissionPolicy=true'] });
});
afterAll(() => ground.close());

const apply = (expression: string) => ({ patchType: 'ApplyConfiguration', applyConfiguration: { expression } });
const patch = (expression: string) => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

const specFor = (namespace: string, resources: string[], apiGroups: string[], more: object) => ({
  matchConstraints: {
    resourceRules: [{ operations: ['CREATE', 'UPDATE'], apiGroups, apiVersions: ['v1'], resources }],
    namespaceSelector: { matchLabels: { space: namespace } },
  },
  reinvocationPolicy: 'Never',
  ...more,
});

async function bind(spec: object, binding: object = {}): Promise<string> {
  const name = ground.fresh('mutating');
  await ground.done('POST', `${GROUP}/mutatingadmissionpolicies`, { metadata: { name }, spec });
  const bound = { metadata: { name: `${name}-binding` }, spec: { policyName: name, ...binding } };
  await ground.done('POST', `${GROUP}/mutatingadmissionpolicybindings`, bound);
  return name;
}

/** What becomes of a new config map under a policy. */
async function created(more: object, configMap: object = {}): Promise<Answer & { readonly policy: string }> {
  const namespace = await ground.namespace();
  const policy = await bind(specFor(namespace, ['configmaps'], [''], more));
  return { ...(await ground.createConfigMap(namespace, configMap)), policy };
}

describe('a mutating policy', () => {
  it.each([
    ['sets fields', apply("Object{data: {'b': '2'}}"), { a: '1', b: '2' }],
    ['sets what it computes', apply("Object{data: {'b': object.data.a + '!'}}"), { a: '1', b: '1!' }],
    ['sets what is optional', apply('Object{?data: object.?none.data}'), { a: '1' }],
    ['patches', patch("[JSONPatch{op: 'add', path: '/data/b', value: '2'}]"), { a: '1', b: '2' }],
    [
      'patches away',
      patch("[JSONPatch{op: 'test', path: '/data/a', value: '1'}, JSONPatch{op: 'remove', path: '/data/a'}]"),
      undefined,
    ],
    [
      'escapes keys',
      patch("[JSONPatch{op: 'add', path: '/data/' + jsonpatch.escapeKey('x~y') , value: '2'}].filter(p, false)"),
      { a: '1' },
    ],
  ])('%s', async (_what, mutation, data) => {
    const { status, body, text } = await created({ mutations: [mutation] }, { data: { a: '1' } });
    expect(status, text).toBe(201);
    expect(body.data).toEqual(data);
  });

  it('merges lists by their keys, as a server-side apply does', async () => {
    const namespace = await ground.namespace();
    const expression = `Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{
      containers: [Object.spec.template.spec.containers{name: 'side', image: 'proxy'}]}}}}`;
    await bind(specFor(namespace, ['deployments'], ['apps'], { mutations: [apply(expression)] }));
    const { spec } = await ground.done('POST', `/apis/apps/v1/namespaces/${namespace}/deployments`, {
      metadata: { name: 'd' },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'main', image: 'i' }] } },
      },
    });
    const { containers } = (spec as { template: { spec: { containers: { name: string }[] } } }).template.spec;
    expect(containers.map(({ name }) => name)).toEqual(['main', 'side']);
  });

  it('sees with each change what the one before left, and its variables anew', async () => {
    const { body } = await created(
      {
        variables: [{ name: 'count', expression: 'object.data.size()' }],
        mutations: [
          apply("Object{data: {'first': string(variables.count)}}"),
          apply("Object{data: {'second': string(variables.count)}}"),
        ],
      },
      { data: { a: '1' } },
    );
    expect(body.data).toEqual({ a: '1', first: '1', second: '2' });
  });

  it('is about requests that meet its conditions', async () => {
    const spec = {
      matchConditions: [{ name: 'wanted', expression: 'has(object.data.wanted)' }],
      mutations: [apply("Object{data: {'set': 'yes'}}")],
    };
    expect((await created(spec, { data: { wanted: '' } })).body.data).toEqual({ set: 'yes', wanted: '' });
    expect((await created(spec, { data: { other: '' } })).body.data).toEqual({ other: '' });
  });

  it('is evaluated again when a later one changed the object, if it wants that', async () => {
    const counting = {
      mutations: [apply("Object{data: {'seen': string(has(object.data) ? object.data.size() : 0)}}")],
    };
    for (const [reinvocationPolicy, seen] of [
      ['Never', '0'],
      ['IfNeeded', '2'],
    ] as const) {
      const namespace = await ground.namespace();
      await bind(specFor(namespace, ['configmaps'], [''], { ...counting, reinvocationPolicy }));
      await bind(specFor(namespace, ['configmaps'], [''], { mutations: [apply("Object{data: {'later': 'yes'}}")] }));
      expect((await ground.createConfigMap(namespace)).body.data).toEqual({ later: 'yes', seen });
    }
  });

  it.each([
    [
      'an expression that fails',
      apply("Object{data: {'b': object.data.none}}"),
      'resulted in error: no such key: none',
    ],
    ['a field that is not there', apply("Object{dato: {'b': 'c'}}"), 'field not declared in schema'],
    ['a value of another type', apply('Object{data: 7}'), 'data'],
    ['a patch that does not fit', patch("[JSONPatch{op: 'remove', path: '/data/none'}]"), 'none'],
    ['a patch of nothing known', patch("[JSONPatch{op: 'dance', path: '/data'}]"), 'unknown op "dance"'],
  ])('that asks for %s is a failure, which its failure policy decides about', async (_what, mutation, message) => {
    const { status, body, policy } = await created({ mutations: [mutation] }, { data: { a: '1' } });
    expect(status).toBe(422);
    expect(body.message).toContain(`policy '${policy}' with binding '${policy}-binding' denied request: `);
    expect(body.message).toContain(message);
    const ignoring = await created({ mutations: [mutation], failurePolicy: 'Ignore' }, { data: { a: '1' } });
    expect([ignoring.status, ignoring.body.data]).toEqual([201, { a: '1' }]);
  });

  it.each([
    [{ mutations: [] }, 'spec.mutations'],
    [{ mutations: [{ patchType: 'Odd' }] }, 'spec.mutations[0].patchType'],
    [{ mutations: [{ patchType: 'JSONPatch' }] }, 'spec.mutations[0].jsonPatch'],
    [{ mutations: [{ ...patch('[]'), ...apply('Object{}') }] }, 'spec.mutations[0].jsonPatch'],
    [{ mutations: [apply('1')] }, 'spec.mutations[0].applyConfiguration.expression'],
    [{ mutations: [apply('Object.spec{}')] }, 'spec.mutations[0].applyConfiguration.expression'],
    [{ mutations: [apply('Object{spec: Object.status{}}')] }, 'spec.mutations[0].applyConfiguration.expression'],
    [{ mutations: [apply('Other{}')] }, 'spec.mutations[0].applyConfiguration.expression'],
    [{ mutations: [patch('[JSONPatch{op: 1}]')] }, 'spec.mutations[0].jsonPatch.expression'],
    [{ mutations: [patch("[JSONPatch{odd: ''}]")] }, 'spec.mutations[0].jsonPatch.expression'],
    [{ mutations: [patch('[]')], reinvocationPolicy: 'Odd' }, 'spec.reinvocationPolicy'],
  ])('with %j is refused at %s', async (more, field) => {
    const spec = specFor('none', ['configmaps'], [''], more);
    const path = `${GROUP}/mutatingadmissionpolicies?dryRun=All`;
    const { status, body } = await ground.request('POST', path, { metadata: { name: 'p' }, spec });
    expect([status, body.details?.causes?.map((cause) => cause.field)]).toEqual([422, [field]]);
  });
});
