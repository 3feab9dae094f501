import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BINDINGS, CONFIG_MAPS, POLICIES, PolicyPlane } from './support/policy-plane.ts';

let ground: PolicyPlane;

beforeAll(async () => {
  const runtimeConfig = ['admissionregistration.platform.io/v1alpha1=true'];
  ground = await PolicyPlane.start({ runtimeConfig });
});
afterAll(() => ground.close());

const validations = [{ expression: 'true' }];
const [RULE] = CONFIG_MAPS.resourceRules;

/** The fields that are complained about. */
async function fieldsOf(path: string, spec: object): Promise<(string | undefined)[]> {
  const { status, body, text } = await ground.request('POST', `${path}?dryRun=All`, { metadata: { name: 'p' }, spec });
  expect([201, 422], text).toContain(status);
  return (body.details?.causes ?? []).map(({ field }) => field);
}

describe('a policy', () => {
  const valid = { matchConstraints: CONFIG_MAPS, validations };

  it.each([
    [{}, []],
    [{ matchConstraints: null }, ['spec.matchConstraints']],
    [{ matchConstraints: {} }, ['spec.matchConstraints.resourceRules']],
    [
      { matchConstraints: { resourceRules: [{}] } },
      expect.arrayContaining(['spec.matchConstraints.resourceRules[0].operations']),
    ],
    [
      { matchConstraints: { resourceRules: [{ ...RULE, resourceNames: ['a', 'a'] }] } },
      ['spec.matchConstraints.resourceRules[0].resourceNames[1]'],
    ],
    [
      { matchConstraints: { resourceRules: [RULE], excludeResourceRules: [{ ...RULE, resourceNames: ['a/b'] }] } },
      ['spec.matchConstraints.excludeResourceRules[0].resourceNames[0]'],
    ],
    [{ matchConstraints: { ...CONFIG_MAPS, matchPolicy: 'Odd' } }, ['spec.matchConstraints.matchPolicy']],
    [{ failurePolicy: 'Odd' }, ['spec.failurePolicy']],
    [{ validations: [] }, ['spec.validations', 'spec.auditAnnotations']],
    [{ validations: [{ expression: '' }] }, ['spec.validations[0].expression']],
    [{ validations: [{ expression: '1' }] }, ['spec.validations[0].expression']],
    [{ validations: [{ expression: 'object.spec' }] }, ['spec.validations[0].expression']],
    [{ validations: [{ expression: 'true', message: ' ' }] }, ['spec.validations[0].message']],
    [{ validations: [{ expression: 'true', message: 'a\nb' }] }, ['spec.validations[0].message']],
    [{ validations: [{ expression: 'true ||\nfalse' }] }, ['spec.validations[0].message']],
    [{ validations: [{ expression: 'true', reason: 'Odd' }] }, ['spec.validations[0].reason']],
    [{ validations: [{ expression: 'true', messageExpression: '1' }] }, ['spec.validations[0].messageExpression']],
    [
      { validations: [{ expression: 'true', messageExpression: "authorizer.path('/').check('get').reason()" }] },
      ['spec.validations[0].messageExpression'],
    ],
    [{ validations: [{ expression: 'params == null' }] }, ['spec.validations[0].expression']],
    [{ validations: [{ expression: 'params == null' }], paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }, []],
    [{ paramKind: {} }, ['spec.paramKind.apiVersion', 'spec.paramKind.kind']],
    [{ paramKind: { apiVersion: 'a/b/c', kind: 'A b' } }, ['spec.paramKind.apiVersion', 'spec.paramKind.kind']],
    [{ variables: [{ name: 'a-b', expression: '1' }] }, ['spec.variables[0].name']],
    [{ variables: [{ name: 'in', expression: '1' }] }, ['spec.variables[0].name']],
    [{ variables: [{ name: 'a', expression: 'variables.b' }] }, ['spec.variables[0].expression']],
    [
      {
        variables: [
          { name: 'a', expression: '1' },
          { name: 'a', expression: '2' },
        ],
      },
      ['spec.variables[1].name'],
    ],
    [
      { variables: [{ name: 'a', expression: '1' }], validations: [{ expression: "variables.a == 'text'" }] },
      ['spec.validations[0].expression'],
    ],
    [{ matchConditions: [{ name: 'a b', expression: 'true' }] }, ['spec.matchConditions[0].name']],
    [{ matchConditions: [{ name: 'a', expression: 'variables.a' }] }, ['spec.matchConditions[0].expression']],
    [{ auditAnnotations: [{ key: '', valueExpression: "''" }] }, ['spec.auditAnnotations[0].key']],
    [{ auditAnnotations: [{ key: 'a/b', valueExpression: "''" }] }, ['spec.auditAnnotations[0].key']],
    [{ auditAnnotations: [{ key: 'a', valueExpression: '1' }] }, ['spec.auditAnnotations[0].valueExpression']],
    [
      { auditAnnotations: Array.from({ length: 21 }, (_, at) => ({ key: `k${at}`, valueExpression: 'null' })) },
      ['spec.auditAnnotations'],
    ],
  ])('with %j is refused at %j', async (spec, fields) => {
    expect(await fieldsOf(POLICIES, { ...valid, ...spec })).toEqual(fields);
  });

  it('has defaults, and tells of changes by its generation', async () => {
    const made = await ground.done('POST', POLICIES, { metadata: { name: 'plain' }, spec: valid });
    expect(made).toMatchObject({
      metadata: { generation: 1 },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          matchPolicy: 'Equivalent',
          namespaceSelector: {},
          objectSelector: {},
          resourceRules: [{ scope: '*' }],
        },
      },
    });
    const changed = await ground.done('PATCH', `${POLICIES}/plain`, { spec: { failurePolicy: 'Ignore' } });
    expect(changed.metadata.generation).toBe(2);
  });

  it('is the same in every version', async () => {
    const alpha = POLICIES.replace('/v1/', '/v1alpha1/');
    await ground.done('POST', alpha, { metadata: { name: 'early' }, spec: valid });
    for (const version of ['v1', 'v1beta1', 'v1alpha1']) {
      const { apiVersion, spec } = await ground.done('GET', `${POLICIES.replace('/v1/', `/${version}/`)}/early`);
      expect([apiVersion, spec.validations]).toEqual([`admissionregistration.platform.io/${version}`, validations]);
    }
  });
});

describe('a binding', () => {
  const valid = { policyName: 'p', validationActions: ['Deny'] };
  const paramRef = { name: 'a', parameterNotFoundAction: 'Deny' };

  it.each([
    [{}, []],
    [{ policyName: '' }, ['spec.policyName']],
    [{ policyName: 'a b' }, ['spec.policyName']],
    [{ validationActions: [] }, ['spec.validationActions']],
    [{ validationActions: ['Odd'] }, ['spec.validationActions[0]']],
    [{ validationActions: ['Deny', 'Warn'] }, ['spec.validationActions']],
    [{ validationActions: ['Deny', 'Audit'] }, []],
    [{ paramRef }, []],
    [{ paramRef: { parameterNotFoundAction: 'Deny' } }, ['spec.paramRef']],
    [{ paramRef: { ...paramRef, selector: {} } }, ['spec.paramRef.name', 'spec.paramRef.selector']],
    [{ paramRef: { name: 'a' } }, ['spec.paramRef.parameterNotFoundAction']],
    [{ paramRef: { ...paramRef, parameterNotFoundAction: 'Odd' } }, ['spec.paramRef.parameterNotFoundAction']],
    [{ matchResources: { matchPolicy: 'Odd' } }, ['spec.matchResources.matchPolicy']],
    [{ matchResources: {} }, []],
  ])('with %j is refused at %j', async (spec, fields) => {
    expect(await fieldsOf(BINDINGS, { ...valid, ...spec })).toEqual(fields);
  });
});

describe('what would take too much', () => {
  const limited = { matchConstraints: CONFIG_MAPS };
  const many = (count: number, expression: string) =>
    Array.from({ length: count }, (_, at) => ({ name: `v${at}`, expression }));

  it.each([
    [
      'an expression of 100 KB',
      { validations: [{ expression: `'${'x'.repeat(100_000)}' == ''` }] },
      'at most 10000 bytes',
    ],
    ['1,000 variables', { validations, variables: many(1_000, '1') }, 'Too many: 1000: must have at most 256 items'],
    ['much text', { validations, variables: many(250, `'${'x'.repeat(200)}'`) }, 'at most 32768 characters together'],
    ['an expression that is very deep', { validations: [{ expression: `${'('.repeat(5_000)}1` }] }, 'recursion limit'],
  ])('is refused when it is written: %s', async (_what, spec, message) => {
    const { status, text } = await ground.request('POST', POLICIES, {
      metadata: { name: 'hostile' },
      spec: { ...limited, ...spec },
    });
    expect(status).toBe(422);
    expect(text).toContain(message);
  });

  it('is broken off when it runs, and counts as the failure policy says', async () => {
    const loops = 'range.all(a, range.all(b, range.all(c, range.all(d, a + b + c + d >= 0))))';
    const expression = `cel.bind(range, [${Array.from({ length: 60 }, (_, at) => at).join()}], ${loops})`;
    for (const [failurePolicy, code] of [
      ['Fail', 422],
      ['Ignore', 201],
    ] as const) {
      const namespace = await ground.namespace();
      await ground.enforce(namespace, { failurePolicy, validations: [{ expression }] });
      const { status, text } = await ground.createConfigMap(namespace);
      expect(status, text).toBe(code);
      if (code === 422) expect(text).toContain('operation cancelled: actual cost limit exceeded');
    }
  });

  it('is bounded for all params together', async () => {
    const [namespace, limits] = [await ground.namespace(), await ground.namespace()];
    for (let at = 0; at < 30; at++) await ground.createConfigMap(limits, { data: { at: `${at}` } });
    const loops = 'range.all(a, range.all(b, range.all(c, a + b + c >= 0)))';
    const expression = `params.data.at != 'x' && cel.bind(range, [${Array.from({ length: 35 }, (_, at) => at).join()}], ${loops})`;
    const paramRef = { selector: {}, namespace: limits, parameterNotFoundAction: 'Deny' };
    await ground.enforce(
      namespace,
      { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, validations: [{ expression }] },
      { paramRef },
    );
    const { status, text } = await ground.createConfigMap(namespace);
    expect(status).toBe(422);
    expect(text).toContain('running out of cost budget');
  });
});
