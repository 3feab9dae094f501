import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf, eventually, policyFile } from './support/audit.ts';
import { define, definition, version } from './support/definitions.ts';
import { BINDINGS, CONFIG_MAPS, POLICIES, PolicyPlane } from './support/policy-plane.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';

let directory: string;
let auditLogPath: string;
let ground: PolicyPlane;

beforeAll(async () => {
  directory = await makeDirectory();
  auditLogPath = join(directory, 'audit.log');
  const auditPolicyFile = await policyFile(directory, [{ level: 'Request' }]);
  ground = await PolicyPlane.start({ auditPolicyFile, auditLogPath });
});
afterAll(async () => {
  await ground.close();
  await removeDirectory(directory);
});

/** What the answer to a new config map is, in a namespace with one policy. */
async function answered(spec: object, configMap: object = {}, binding: object = {}) {
  const namespace = await ground.namespace();
  const policy = await ground.enforce(namespace, spec, binding);
  const answer = await ground.createConfigMap(namespace, configMap);
  return { ...answer, policy, namespace };
}

const annotationsOf = async (auditId: unknown): Promise<Readonly<Record<string, string>>> => {
  const event = await eventually(async () =>
    (await eventsOf(auditLogPath, String(auditId))).find(({ stage }) => stage === 'ResponseComplete'),
  );
  return event.annotations ?? {};
};

describe('a policy', () => {
  it('refuses what it does not hold for, under its own name and that of its binding', async () => {
    const { status, body, policy } = await answered(
      { validations: [{ expression: 'object.data.size() <= 1', message: 'one entry is enough' }] },
      { metadata: { name: 'two' }, data: { a: '1', b: '2' } },
    );
    const message = `ValidatingAdmissionPolicy '${policy}' with binding '${policy}-binding' denied request: one entry is enough`;
    expect(status).toBe(422);
    expect(body).toMatchObject({
      reason: 'Invalid',
      message: `configmaps "two" is forbidden: ${message}`,
      details: { name: 'two', kind: 'configmaps', causes: [{ message }] },
    });
  });

  it('lets pass what it holds for', async () => {
    expect(
      (await answered({ validations: [{ expression: 'object.data.size() <= 1' }] }, { data: { a: '1' } })).status,
    ).toBe(201);
  });

  it.each([
    [{ expression: 'false' }, 422, 'Invalid', 'failed expression: false'],
    [{ expression: ' 1 ==\n2 ', message: ' two lines ' }, 422, 'Invalid', 'two lines'],
    [{ expression: 'false', reason: 'Forbidden' }, 403, 'Forbidden', 'failed expression: false'],
    [{ expression: 'false', reason: 'Unauthorized' }, 401, 'Unauthorized', 'failed expression: false'],
    [
      { expression: 'false', reason: 'RequestEntityTooLarge' },
      413,
      'RequestEntityTooLarge',
      'failed expression: false',
    ],
    [
      { expression: 'false', message: 'm', messageExpression: '"in " + request.namespace' },
      422,
      'Invalid',
      'in space-',
    ],
    [{ expression: 'false', message: 'm', messageExpression: 'string(object.data.none)' }, 422, 'Invalid', 'm'],
    [{ expression: 'false', message: 'm', messageExpression: '"a\\nb"' }, 422, 'Invalid', 'm'],
    [
      { expression: 'object.data.none == "x"' },
      422,
      'Invalid',
      'expression \'object.data.none == "x"\' resulted in error: no such key: data',
    ],
  ])('that says %j answers %i %s: %s', async (validation, code, reason, message) => {
    const { status, body } = await answered({ validations: [validation] });
    expect([status, body.reason]).toEqual([code, reason]);
    expect(body.message).toContain(`denied request: ${message}`);
  });

  it('says nothing about what it is not about', async () => {
    const namespace = await ground.namespace();
    await ground.enforce(namespace, { validations: [{ expression: 'false' }] });
    const secret = await ground.request('POST', `/api/v1/namespaces/${namespace}/secrets`, { metadata: { name: 's' } });
    expect(secret.status).toBe(201);
    expect((await ground.createConfigMap(await ground.namespace())).status).toBe(201);
  });

  it('is in effect once it is bound, and no longer than that', async () => {
    const namespace = await ground.namespace();
    const name = await ground.enforce(namespace, { validations: [{ expression: 'false' }] });
    expect((await ground.createConfigMap(namespace)).status).toBe(422);
    await ground.done('DELETE', `${BINDINGS}/${name}-binding`);
    expect((await ground.createConfigMap(namespace)).status).toBe(201);
  });

  it('counts as it was last written', async () => {
    const namespace = await ground.namespace();
    const name = await ground.enforce(namespace, { validations: [{ expression: 'false' }] });
    expect((await ground.createConfigMap(namespace)).status).toBe(422);
    await ground.done('PATCH', `${POLICIES}/${name}`, { spec: { validations: [{ expression: 'true' }] } });
    expect((await ground.createConfigMap(namespace)).status).toBe(201);
  });

  it('sees updates and deletions, with the object as it was', async () => {
    const namespace = await ground.namespace();
    const path = `/api/v1/namespaces/${namespace}/configmaps/kept`;
    await ground.createConfigMap(namespace, { metadata: { name: 'kept' }, data: { a: '1' } });
    await ground.enforce(namespace, {
      validations: [
        { expression: "request.operation != 'DELETE' || (object == null && oldObject.data.a == '2')", message: 'stay' },
        { expression: "request.operation != 'UPDATE' || object.data.a > oldObject.data.a", message: 'only up' },
      ],
    });
    expect((await ground.request('DELETE', path)).body.message).toContain('stay');
    expect((await ground.request('PATCH', path, { data: { a: '0' } })).body.message).toContain('only up');
    expect((await ground.request('PATCH', path, { data: { a: '2' } })).status).toBe(200);
    expect((await ground.request('DELETE', path)).status).toBe(200);
  });

  it('cannot keep anyone from mending policies, nor from asking for rights', async () => {
    const matchConstraints = {
      resourceRules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }],
    };
    const conditions = { matchConditions: [{ name: 'one', expression: "request.userInfo.username != 'nobody'" }] };
    const spec = { matchConstraints, ...conditions, validations: [{ expression: 'false' }] };
    const name = await ground.enforce('none', spec);
    try {
      expect((await ground.request('POST', '/api/v1/namespaces', { metadata: { name: 'refused' } })).status).toBe(422);
      const review = { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } };
      const asked = await ground.request('POST', '/apis/authorization.platform.io/v1/selfsubjectaccessreviews', review);
      expect(asked.status).toBe(201);
    } finally {
      await ground.done('DELETE', `${BINDINGS}/${name}-binding`);
    }
    expect((await ground.request('DELETE', `${POLICIES}/${name}`)).status).toBe(200);
  });
});

describe('what a policy is about', () => {
  const refusing = { validations: [{ expression: 'false' }] };

  it.each([
    [{ objectSelector: { matchLabels: { a: 'b' } } }, { labels: { a: 'b' } }, 422],
    [{ objectSelector: { matchLabels: { a: 'b' } } }, { labels: { a: 'c' } }, 201],
    [{ resourceRules: [{ ...CONFIG_MAPS.resourceRules[0], resourceNames: ['one'] }] }, { name: 'one' }, 422],
    [{ resourceRules: [{ ...CONFIG_MAPS.resourceRules[0], resourceNames: ['one'] }] }, { name: 'other' }, 201],
    [{ excludeResourceRules: [{ ...CONFIG_MAPS.resourceRules[0], resourceNames: ['one'] }] }, { name: 'one' }, 201],
    [{ excludeResourceRules: [{ ...CONFIG_MAPS.resourceRules[0], resourceNames: ['one'] }] }, { name: 'other' }, 422],
    [{ resourceRules: [{ ...CONFIG_MAPS.resourceRules[0], operations: ['UPDATE'] }] }, { name: 'one' }, 201],
  ])('is narrowed down by the policy and by the binding: %j', async (match, metadata, code) => {
    const own = await ground.namespace();
    const namespaceSelector = { matchLabels: { space: own } };
    await ground.enforce(own, { ...refusing, matchConstraints: { ...CONFIG_MAPS, namespaceSelector, ...match } });
    expect((await ground.createConfigMap(own, { metadata: { generateName: 'c-', ...metadata } })).status).toBe(code);
    const other = await ground.namespace();
    await ground.enforce(other, refusing, { matchResources: { ...CONFIG_MAPS, ...match } });
    expect((await ground.createConfigMap(other, { metadata: { generateName: 'c-', ...metadata } })).status).toBe(code);
  });

  it.each([
    ['Equivalent', 422],
    ['Exact', 201],
  ])('with matchPolicy %s, in another version: %i', async (matchPolicy, code) => {
    const namespace = await ground.namespace();
    const rule = { operations: ['CREATE'], apiGroups: ['autoscaling'], apiVersions: ['v1'], resources: ['*'] };
    await ground.enforce(namespace, {
      matchConstraints: {
        resourceRules: [rule],
        matchPolicy,
        namespaceSelector: { matchLabels: { space: namespace } },
      },
      validations: [{ expression: 'object.spec.targetCPUUtilizationPercentage < 50' }],
    });
    const path = `/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers`;
    const scaler = { metadata: { name: 'a' }, spec: { maxReplicas: 3, scaleTargetRef: { kind: 'D', name: 'd' } } };
    expect((await ground.request('POST', path, scaler)).status).toBe(code);
  });

  it.each([
    [[{ name: 'a', expression: 'true' }], 422],
    [[{ name: 'a', expression: 'false' }], 201],
    [[{ name: 'a', expression: 'object.data.none == 1' }], 422],
    [
      [
        { name: 'a', expression: 'object.data.none == 1' },
        { name: 'b', expression: 'false' },
      ],
      201,
    ],
  ])('depends on conditions: %j', async (matchConditions, code) => {
    expect((await answered({ ...refusing, matchConditions })).status).toBe(code);
  });
});

describe('an expression that cannot be evaluated', () => {
  it.each([
    ['Fail', 422],
    ['Ignore', 201],
  ])('counts as the failure policy %s says: %i', async (failurePolicy, code) => {
    const failing = { validations: [{ expression: 'object.data.none == "x"' }], failurePolicy };
    expect((await answered(failing)).status).toBe(code);
  });
});

describe('variables', () => {
  it('are known in expressions after them, by their types', async () => {
    const { body } = await answered(
      {
        variables: [
          { name: 'count', expression: 'object.data.size()' },
          { name: 'twice', expression: 'variables.count * 2' },
          { name: 'broken', expression: 'object.data.none' },
        ],
        validations: [
          { expression: 'variables.count == 2 || variables.broken == "never needed"' },
          {
            expression: 'variables.twice < 4',
            messageExpression: '"twice is " + string(variables.twice) + " of " + string(variables.count)',
          },
        ],
      },
      { data: { a: '1', b: '2' } },
    );
    expect(body.message).toContain('denied request: twice is 4 of 2');
  });

  it('that fail are failures of what uses them', async () => {
    const { body } = await answered({
      variables: [{ name: 'broken', expression: 'object.data.none' }],
      validations: [{ expression: 'variables.broken == "x"' }],
    });
    expect(body.message).toContain('composited variable "broken" fails to evaluate: no such key: data');
  });
});

describe('what expressions see', () => {
  it.each([
    ["request.kind.kind == 'ConfigMap' && request.resource.resource == 'configmaps' && request.operation == 'CREATE'"],
    ["request.userInfo.username == 'admin' || 'system:masters' in request.userInfo.groups"],
    ["!request.dryRun && !has(request.subResource) && request.options.kind == 'CreateOptions'"],
    ["namespaceObject.metadata.labels.space == request.namespace && namespaceObject.status.phase == 'Active'"],
    ["namespaceObject.metadata.creationTimestamp < timestamp('2100-01-01T00:00:00Z')"],
    ['oldObject == null'],
    ["object.metadata.generateName == 'c-'"],
    ["authorizer.group('').resource('configmaps').namespace('default').name('a').check('create').allowed()"],
    ["authorizer.path('/healthz').check('get').allowed()"],
    ["authorizer.requestResource.check('create').allowed()"],
    ["!authorizer.serviceAccount('default', 'default').group('').resource('secrets').check('get').allowed()"],
    ["authorizer.group('').resource('pods').subresource('log').check('get').reason() != 'x'"],
    ["!authorizer.group('').resource('pods').check('get').errored()"],
  ])('%s', async (expression) => {
    const { status, text } = await answered({ validations: [{ expression }] });
    expect(status, text).toBe(201);
  });
});

describe('params', () => {
  const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
  const limited = { paramKind, validations: [{ expression: 'object.data.size() <= int(params.data.most)' }] };
  const two = { data: { a: '1', b: '2' } };

  /** A namespace with config maps that say how many entries others may have. */
  async function withLimits(limits: Record<string, string>): Promise<string> {
    const namespace = await ground.namespace();
    for (const [name, most] of Object.entries(limits)) {
      await ground.createConfigMap(namespace, { metadata: { name, labels: { limit: 'yes' } }, data: { most } });
    }
    return namespace;
  }

  it.each([
    ['by name', { name: 'low', parameterNotFoundAction: 'Deny' }, 422],
    ['by name', { name: 'high', parameterNotFoundAction: 'Deny' }, 201],
    [
      'by labels, all of which count',
      { selector: { matchLabels: { limit: 'yes' } }, parameterNotFoundAction: 'Deny' },
      422,
    ],
    ['by labels', { selector: { matchLabels: { limit: 'no' } }, parameterNotFoundAction: 'Allow' }, 201],
    ['by labels', { selector: { matchLabels: { limit: 'no' } }, parameterNotFoundAction: 'Deny' }, 422],
    ['by name', { name: 'none', parameterNotFoundAction: 'Allow' }, 201],
    ['by name', { name: 'none', parameterNotFoundAction: 'Deny' }, 422],
  ])('are found %s, in the namespace of the request: %j answers %i', async (_how, paramRef, code) => {
    const namespace = await withLimits({ low: '1', high: '2' });
    await ground.enforce(namespace, limited, { paramRef });
    expect((await ground.createConfigMap(namespace, two)).status).toBe(code);
  });

  it('are found in another namespace, and count as they are at the time', async () => {
    const [limits, namespace] = [await withLimits({ one: '1' }), await ground.namespace()];
    await ground.enforce(namespace, limited, {
      paramRef: { name: 'one', namespace: limits, parameterNotFoundAction: 'Deny' },
    });
    expect((await ground.createConfigMap(namespace, two)).status).toBe(422);
    await ground.done('PATCH', `/api/v1/namespaces/${limits}/configmaps/one`, { data: { most: '2' } });
    expect((await ground.createConfigMap(namespace, two)).status).toBe(201);
  });

  it('are null where a binding names none', async () => {
    const spec = { paramKind, validations: [{ expression: 'params == null' }] };
    expect((await answered(spec)).status).toBe(201);
  });

  it('can be of custom kinds', async () => {
    const group = 'limits.example.com';
    const spec = { type: 'object', properties: { most: { type: 'integer' } } };
    const path = `/apis/${group}/v1/namespaces/default/limits`;
    await define(ground.plane.admin, definition('limits', group, [version('v1', { spec })]), path);
    await ground.done('POST', path, {
      apiVersion: `${group}/v1`,
      kind: 'Limit',
      metadata: { name: 'a' },
      spec: { most: 1 },
    });
    const custom = {
      paramKind: { apiVersion: `${group}/v1`, kind: 'Limit' },
      validations: [{ expression: 'object.data.size() <= params.spec.most' }],
    };
    const paramRef = { name: 'a', namespace: 'default', parameterNotFoundAction: 'Deny' };
    expect((await answered(custom, two, { paramRef })).status).toBe(422);
  });

  it('of a kind that is not there are a failure that says so', async () => {
    const spec = { ...limited, paramKind: { apiVersion: 'example.com/v1', kind: 'Nothing' } };
    const paramRef = { name: 'a', parameterNotFoundAction: 'Allow' };
    const { body } = await answered(spec, two, { paramRef });
    expect(body.message).toContain('failed to find resource referenced by paramKind: "example.com/v1, Kind=Nothing"');
    expect((await answered({ ...spec, failurePolicy: 'Ignore' }, two, { paramRef })).status).toBe(201);
  });
});

describe('a violation', () => {
  const refusing = { validations: [{ expression: 'true' }, { expression: 'false', message: 'no' }] };

  it('is a warning where the binding says so', async () => {
    const { status, headers, policy } = await answered(refusing, {}, { validationActions: ['Warn'] });
    expect(status).toBe(201);
    expect(headers.warning).toBe(
      `299 - "Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${policy}-binding': no"`,
    );
  });

  it('is recorded where the binding says so', async () => {
    const { status, headers, policy } = await answered(refusing, {}, { validationActions: ['Audit'] });
    expect(status).toBe(201);
    const annotations = await annotationsOf(headers['audit-id']);
    expect(JSON.parse(annotations['validation.policy.admission.platform.io/validation_failure'] ?? '')).toEqual([
      { message: 'no', policy, binding: `${policy}-binding`, expressionIndex: 1, validationActions: ['Audit'] },
    ]);
  });
});

describe('an annotation', () => {
  it('is recorded under the name of the policy, unless it is null', async () => {
    const { headers, policy } = await answered(
      {
        auditAnnotations: [
          { key: 'entries', valueExpression: '"has " + string(object.data.size())' },
          { key: 'nothing', valueExpression: 'null' },
        ],
      },
      { data: { a: '1' } },
    );
    const own = Object.entries(await annotationsOf(headers['audit-id'])).filter(([key]) => key.startsWith('policy-'));
    expect(own).toEqual([[`${policy}/entries`, 'has 1']]);
  });
});

describe('the status of a policy', () => {
  const rulesFor = (apiGroups: string[], resources: string[]) => ({
    matchConstraints: { resourceRules: [{ operations: ['*'], apiGroups, apiVersions: ['v1'], resources }] },
  });

  /** What is told of its expressions, once they were looked at. */
  async function warningsFor(spec: object): Promise<Readonly<Record<string, string>>> {
    const name = ground.fresh('checked');
    const { metadata } = await ground.done('POST', POLICIES, { metadata: { name }, spec });
    const { typeChecking } = await eventually(async () => {
      const { status } = (await ground.done('GET', `${POLICIES}/${name}`)) as { status: CheckedStatus };
      return status.observedGeneration === metadata.generation ? status : undefined;
    });
    return Object.fromEntries(
      (typeChecking.expressionWarnings ?? []).map(({ fieldRef, warning }) => [fieldRef, warning]),
    );
  }

  interface CheckedStatus {
    readonly observedGeneration: number;
    readonly typeChecking: { readonly expressionWarnings?: { fieldRef: string; warning: string }[] };
  }

  it('tells what does not fit the kinds that it names', async () => {
    const warnings = await warningsFor({
      ...rulesFor(['apps'], ['deployments', 'replicasets']),
      variables: [{ name: 'paused', expression: 'object.spec.paused' }],
      validations: [
        { expression: 'object.spec.replicas <= 5' },
        { expression: "object.spec.replicas == 'many'" },
        { expression: 'object.spec.template.spec.containers.all(c, c.imagine != "")' },
      ],
    });
    expect(Object.keys(warnings).sort()).toEqual([
      'spec.validations[1].expression',
      'spec.validations[2].expression',
      'spec.variables[0].expression',
    ]);
    expect(warnings['spec.validations[1].expression']).toMatch(
      /^apps\/v1, Kind=Deployment: ERROR: .*found no matching/,
    );
    expect(warnings['spec.validations[2].expression']).toContain('apps/v1, Kind=ReplicaSet: ERROR: <input>:1:46');
    expect(warnings['spec.validations[2].expression']).toContain("undefined field 'imagine'");
    // Only one of both kinds has it.
    expect(warnings['spec.variables[0].expression']).toMatch(/^apps\/v1, Kind=ReplicaSet: ERROR: .*undefined field/);
  });

  it('tells of nothing where all fits, or where anything may stand', async () => {
    const anything = rulesFor(['*'], ['*']);
    expect(await warningsFor({ ...anything, validations: [{ expression: 'object.spec.odd == 1' }] })).toEqual({});
    const fitting = { validations: [{ expression: "object.data.a == 'b' && object.metadata.name != ''" }] };
    expect(await warningsFor({ ...rulesFor([''], ['configmaps']), ...fitting })).toEqual({});
  });
});
