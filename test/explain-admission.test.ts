import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Answer } from './support/client.ts';
import { WebhookPlane } from './support/webhook-plane.ts';
import { annotating, answering, patching } from './support/webhook-server.ts';

/** What admission does with a write, told by a dry run that asks for it. */

const EXPLAINED = 'dryRun=All&explain=admission';

interface Step {
  readonly phase: string;
  readonly round: number;
  readonly type: string;
  readonly name: string;
  readonly within?: string;
  readonly plugin?: string;
  readonly verdict: string;
  readonly message?: string;
  readonly milliseconds?: number;
  readonly changes?: { readonly path: string; readonly before?: unknown; readonly after?: unknown }[];
  readonly warnings?: string[];
  readonly auditAnnotations?: Record<string, string>;
}

interface Told {
  readonly operation: string;
  readonly steps: Step[];
  readonly allowed: boolean;
  readonly refusedBy?: string;
  readonly code: number;
  readonly refusal?: { readonly message: string; readonly reason: string; readonly code: number };
  readonly object?: { readonly metadata: Record<string, unknown>; readonly data?: Record<string, string> };
}

let hooks: WebhookPlane;
beforeAll(async () => {
  hooks = await WebhookPlane.start({ featureGates: ['ValidatingAdmissionPolicy=true'] });
});
afterAll(() => hooks.close());

function toldIn({ status, text }: Answer): Told {
  expect(status, text).toBe(200);
  const explanation = JSON.parse(text);
  expect(explanation.kind).toBe('AdmissionExplanation');
  return explanation.status;
}

const stepsOf = ({ steps }: Told, type: string): Step[] => steps.filter((step) => step.type === type);
const stepNamed = ({ steps }: Told, name: string, phase = ''): Step | undefined =>
  steps.find((step) => step.name === name && (phase === '' || step.phase === phase));

const configMaps = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`;

async function create(namespace: string, body: object = {}, query = EXPLAINED): Promise<Told> {
  const object = { metadata: { name: 'tried' }, ...body };
  return toldIn(await hooks.request('POST', `${configMaps(namespace)}?${query}`, object));
}

describe('webhooks', () => {
  it('are told in their order, with what each changed, said and took', async () => {
    const namespace = await hooks.namespace();
    hooks.hooks.at('/first', answering({ ...annotating('a', 'b'), warnings: ['mind the gap'] }));
    hooks.hooks.at('/second', answering(patching([{ op: 'add', path: '/data', value: { key: 'value' } }])));
    hooks.hooks.at('/check', answering({ auditAnnotations: { seen: 'yes' } }));
    await hooks.configure('mutating', [hooks.webhook('/first', namespace), hooks.webhook('/second', namespace)], 'm');
    await hooks.configure('validating', [hooks.webhook('/check', namespace)], 'v');
    await hooks.configure('mutating', [hooks.webhook('/elsewhere', 'nowhere')], 'n');
    const told = await create(namespace);
    expect(told).toMatchObject({ operation: 'CREATE', allowed: true, code: 201 });
    const asked = stepsOf(told, 'Webhook');
    const shown = asked.map(({ phase, name, within, verdict }) => [phase, name, within, verdict]);
    expect(shown).toEqual([
      ['Mutating', 'first.example.com', 'm', 'Changed'],
      ['Mutating', 'second.example.com', 'm', 'Changed'],
      ['Mutating', 'elsewhere.example.com', 'n', 'NotConcerned'],
      // What was changed by one is shown to nobody again who does not want to be asked again.
      ['Mutating', 'first.example.com', 'm', 'NotConcerned'],
      ['Mutating', 'second.example.com', 'm', 'NotConcerned'],
      ['Mutating', 'elsewhere.example.com', 'n', 'NotConcerned'],
      ['Validating', 'check.example.com', 'v', 'Allowed'],
    ]);
    expect(asked[0]).toMatchObject({
      plugin: 'MutatingAdmissionWebhook',
      changes: [{ path: '.metadata.annotations', after: { a: 'b' } }],
      warnings: ['mind the gap'],
    });
    expect(asked[1]?.changes).toEqual([{ path: '.data', after: { key: 'value' } }]);
    expect(asked[0]?.milliseconds).toBeGreaterThan(0);
    expect(asked.at(-1)?.auditAnnotations).toEqual({ 'check.example.com/seen': 'yes' });
    expect(stepNamed(told, 'MutatingAdmissionWebhook')).toMatchObject({ verdict: 'Changed' });
    expect(stepNamed(told, 'MutatingAdmissionWebhook')?.changes).toBeUndefined();
    expect(told.object).toMatchObject({ data: { key: 'value' }, metadata: { annotations: { a: 'b' } } });
    expect((await hooks.request('GET', `${configMaps(namespace)}/tried`)).status).toBe(404);
  });

  it('that refuse are named, in an answer that says so and is none', async () => {
    const namespace = await hooks.namespace();
    hooks.hooks.at('/no', answering({ allowed: false, status: { message: 'not today', code: 418 } }));
    await hooks.configure('validating', [hooks.webhook('/no', namespace)], 'refusing');
    const told = await create(namespace);
    const refusedBy = 'Webhook no.example.com of refusing';
    expect(told).toMatchObject({ allowed: false, refusedBy, code: 418, refusal: { code: 418 } });
    expect(told.refusal?.message).toContain('not today');
    expect(stepNamed(told, 'no.example.com')).toMatchObject({ verdict: 'Refused' });
    expect(stepNamed(told, 'ValidatingAdmissionWebhook')).toMatchObject({ verdict: 'Refused' });
    expect(told.object).toBeUndefined();
  });

  it('that cannot be asked are told to have failed, whether that counts or not', async () => {
    const namespace = await hooks.namespace();
    hooks.hooks.at('/broken', (_call, response) => void response.end('nonsense'));
    await hooks.configure('mutating', [hooks.webhook('/broken', namespace, { failurePolicy: 'Ignore' })]);
    const told = await create(namespace);
    expect(told.allowed).toBe(true);
    expect(stepNamed(told, 'broken.example.com')).toMatchObject({ verdict: 'Failed' });
    expect(stepNamed(told, 'broken.example.com')?.message).toContain('failed calling webhook');
  });
});

describe('policies', () => {
  const ADMISSION = '/apis/admissionregistration.platform.io/v1';
  const made = async (plural: string, name: string, spec: object): Promise<void> => {
    await hooks.done('POST', `${ADMISSION}/${plural}`, { metadata: { name }, spec });
    onTestFinished(async () => {
      await hooks.request('DELETE', `${ADMISSION}/${plural}/${name}`);
    });
  };

  it('are told with their bindings, and with what they found', async () => {
    const namespace = await hooks.namespace();
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }];
    const spec = {
      matchConstraints: { resourceRules: rules },
      validations: [{ expression: 'has(object.data)', message: 'no data' }],
    };
    await made('validatingadmissionpolicies', 'data', spec);
    const here = { namespaceSelector: { matchLabels: { 'platform.io/metadata.name': namespace } } };
    const binding = { policyName: 'data', validationActions: ['Deny'] };
    await made('validatingadmissionpolicybindings', 'here', { ...binding, matchResources: here });
    const elsewhere = { namespaceSelector: { matchLabels: { 'platform.io/metadata.name': 'nowhere' } } };
    await made('validatingadmissionpolicybindings', 'there', { ...binding, matchResources: elsewhere });
    const refused = await create(namespace);
    expect(
      stepsOf(refused, 'Policy').map(({ name, within, verdict, message }) => [name, within, verdict, message]),
    ).toEqual([
      ['data', 'here', 'Violated', 'no data'],
      ['data', 'there', 'NotConcerned', undefined],
    ]);
    expect(refused).toMatchObject({ allowed: false, refusedBy: 'Plugin ValidatingAdmissionPolicy', code: 422 });
    const allowed = await create(namespace, { data: { a: 'b' } });
    expect(stepsOf(allowed, 'Policy').map(({ verdict }) => verdict)).toEqual(['Allowed', 'NotConcerned']);
    expect(allowed.allowed).toBe(true);
  });
});

describe('plugins', () => {
  it('of the server are told with what they changed', async () => {
    const namespace = await hooks.namespace();
    await hooks
      .done('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'default' } })
      .catch(() => {});
    const spec = { containers: [{ name: 'a', image: 'b' }] };
    const pod = { metadata: { name: 'tried' }, spec };
    const told = toldIn(await hooks.request('POST', `/api/v1/namespaces/${namespace}/pods?${EXPLAINED}`, pod));
    const account = stepNamed(told, 'ServiceAccount', 'Mutating');
    expect(account?.verdict).toBe('Changed');
    expect(account?.changes?.map(({ path }) => path)).toContain('.spec.serviceAccountName');
    expect(stepNamed(told, 'NamespaceLifecycle')).toMatchObject({ phase: 'Mutating', verdict: 'Allowed' });
    expect(stepNamed(told, 'PersistentVolumeClaimResize')?.verdict).toBe('NotConcerned');
    const order = told.steps.map(({ phase }) => phase);
    expect(order).toEqual([...order].sort());
  });

  it('refuse, and are named: a namespace that is not there', async () => {
    const told = await create('nowhere');
    expect(told).toMatchObject({ allowed: false, refusedBy: 'Plugin NamespaceLifecycle', code: 404 });
  });
});

it('what the server itself finds wrong is told as such', async () => {
  const told = await create('default', { metadata: { name: 'Not A Name' } });
  expect(told).toMatchObject({ allowed: false, refusedBy: 'Validation', code: 422 });
});

describe.each([
  ['PUT', '', { metadata: { name: 'kept' }, data: { a: 'new' } }],
  ['PATCH', '', { data: { a: 'new' } }],
])('%s', (method, _type, body) => {
  it('tells what becomes of the object, and leaves it as it is', async () => {
    const namespace = await hooks.namespace();
    const path = `${configMaps(namespace)}/kept`;
    await hooks.done('POST', configMaps(namespace), { metadata: { name: 'kept' }, data: { a: 'old' } });
    const told = toldIn(await hooks.request(method, `${path}?${EXPLAINED}`, body));
    expect(told).toMatchObject({ operation: 'UPDATE', allowed: true, code: 200, object: { data: { a: 'new' } } });
    expect((await hooks.request('GET', path)).body.data).toEqual({ a: 'old' });
  });
});

it('a deletion is explained, and does not happen', async () => {
  const namespace = await hooks.namespace();
  const path = `${configMaps(namespace)}/kept`;
  await hooks.done('POST', configMaps(namespace), { metadata: { name: 'kept' } });
  const told = toldIn(await hooks.request('DELETE', `${path}?${EXPLAINED}`));
  expect(told).toMatchObject({ operation: 'DELETE', allowed: true, code: 200 });
  expect((await hooks.request('GET', path)).status).toBe(200);
});

it('values of secrets are not shown', async () => {
  const namespace = await hooks.namespace();
  hooks.hooks.at('/leak', answering(patching([{ op: 'add', path: '/data', value: { key: 'aHVzaA==' } }])));
  const rules = [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'] }];
  await hooks.configure('mutating', [hooks.webhook('/leak', namespace, { rules })]);
  const body = { metadata: { name: 'tried' } };
  const answer = await hooks.request('POST', `/api/v1/namespaces/${namespace}/secrets?${EXPLAINED}`, body);
  const told = toldIn(answer);
  expect(stepNamed(told, 'leak.example.com')?.changes).toEqual([
    { path: '.data', after: '<secret contents redacted>' },
  ]);
  expect(told.object).toBeUndefined();
  expect(answer.text).not.toContain('aHVzaA==');
});

it('changes are bounded', async () => {
  const namespace = await hooks.namespace();
  const data = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`key-${at}`, 'x'.repeat(500)]));
  hooks.hooks.at('/many', answering(patching([{ op: 'add', path: '/data', value: data }])));
  await hooks.configure('mutating', [hooks.webhook('/many', namespace)]);
  const whole = await create(namespace);
  expect(stepNamed(whole, 'many.example.com')?.changes).toEqual([
    { path: '.data', after: expect.stringMatching(/^<\d+ characters of JSON>$/) },
  ]);
  const some = stepNamed(await create(namespace, { data: { own: 'a' } }), 'many.example.com');
  expect(some?.changes?.length).toBe(200);
  expect(some).toMatchObject({ remainingChanges: 801 });
});

describe('is refused', () => {
  it.each([
    ['explain=admission', 'explain=admission needs dryRun=All'],
    ['explain=other&dryRun=All', 'explain=other: only admission can be explained'],
  ])('%s', async (query, message) => {
    const { status, body } = await hooks.request('POST', `${configMaps('default')}?${query}`, {});
    expect([status, body.message]).toEqual([400, message]);
  });

  it('to those who may write, and not ask', async () => {
    const binding = {
      metadata: { name: 'writer' },
      roleRef: { apiGroup: 'rbac.authorization.platform.io', kind: 'ClusterRole', name: 'edit' },
      subjects: [{ kind: 'User', name: 'writer', apiGroup: 'rbac.authorization.platform.io' }],
    };
    await hooks.done('POST', '/apis/rbac.authorization.platform.io/v1/clusterrolebindings', binding);
    const weak = { 'impersonate-user': 'writer' };
    const object = { metadata: { name: 'tried' } };
    const path = configMaps('default');
    const { admin } = hooks.plane;
    expect((await admin.request('POST', `${path}?dryRun=All`, object, weak)).status).toBe(201);
    const refused = await admin.request('POST', `${path}?${EXPLAINED}`, object, weak);
    expect(refused.status).toBe(403);
    expect(refused.body.message).toContain('admissionexplanations.explain.platform.io');
  });

  it('where it is posted to', async () => {
    const path = '/apis/explain.platform.io/v1alpha1/admissionexplanations';
    expect((await hooks.request('POST', path, { status: { allowed: true } })).status).toBe(400);
  });
});
