import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf, eventually, policyFile } from './support/audit.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { rule, WebhookPlane } from './support/webhook-plane.ts';
import { allowing, annotating, answering, patching, refusing } from './support/webhook-server.ts';

let directory: string;
let auditLogPath: string;
let ground: WebhookPlane;

beforeAll(async () => {
  directory = await makeDirectory();
  auditLogPath = join(directory, 'audit.log');
  const auditPolicyFile = await policyFile(directory, [{ level: 'Request' }]);
  ground = await WebhookPlane.start({ auditPolicyFile, auditLogPath });
});
afterAll(async () => {
  await ground.close();
  await removeDirectory(directory);
});

describe('a verdict', () => {
  it.each([
    [{}, { code: 400, message: /denied the request without explanation$/ }],
    [{ message: 'no' }, { code: 400, message: /denied the request: no$/ }],
    [
      { reason: 'Odd', code: 418 },
      { code: 418, reason: 'Odd', message: /denied the request: Odd$/ },
    ],
    [
      { code: 200, message: 'no' },
      { code: 400, message: /: no$/ },
    ],
    [
      { code: 1000, message: 'no' },
      { code: 500, message: /: no$/ },
    ],
    [
      { code: 422, reason: 'Invalid', message: 'no', details: { causes: [{ field: 'data', message: 'bad' }] } },
      { code: 422, reason: 'Invalid', message: /: no$/, details: { causes: [{ field: 'data', message: 'bad' }] } },
    ],
  ])('of no, with %j, reaches the client as %j', async (status, expected) => {
    const namespace = await ground.namespace();
    const path = `/${ground.fresh('no')}`;
    ground.hooks.at(path, answering({ allowed: false, status }));
    await ground.configure('validating', [ground.webhook(path, namespace, { failurePolicy: 'Ignore' })]);
    const answer = await ground.createConfigMap(namespace);
    expect(answer.status).toBe(expected.code);
    expect(answer.body).toMatchObject({
      kind: 'Status',
      ...expected,
      message: expect.stringMatching(expected.message),
    });
    expect(answer.body.message).toContain(`admission webhook "${path.slice(1)}.example.com"`);
    if (!('reason' in expected)) expect(answer.body).not.toHaveProperty('reason');
  });

  it('warns the client, within what headers can hold', async () => {
    const namespace = await ground.namespace();
    const path = `/${ground.fresh('warn')}`;
    const warnings = [
      'take care',
      'line\nbreak',
      'ü'.repeat(10),
      ...Array.from({ length: 99 }, (_, at) => `${at}`.repeat(200)),
    ];
    ground.hooks.at(path, answering({ warnings }));
    await ground.configure('validating', [ground.webhook(path, namespace)]);
    const { status, headers } = await ground.createConfigMap(namespace);
    expect(status).toBe(201);
    const text = String(headers.warning);
    expect(text).toContain('299 - "take care"');
    expect(text.length).toBeLessThan(8_000);
  });

  it('is recorded with what the webhook adds to it, and what it changed', async () => {
    const namespace = await ground.namespace();
    const path = `/${ground.fresh('audit')}`;
    const [name, configuration] = [`${path.slice(1)}.example.com`, ground.fresh('recorded')];
    const patch = [{ op: 'add', path: '/data', value: { k: 'v' } }];
    ground.hooks.at(path, answering({ ...patching(patch), auditAnnotations: { seen: 'yes', 'a/b': 'no', ' ': 'no' } }));
    await ground.configure('mutating', [ground.webhook(path, namespace)], configuration);
    const { headers } = await ground.createConfigMap(namespace);
    const event = await eventually(async () =>
      (await eventsOf(auditLogPath, String(headers['audit-id']))).find(({ stage }) => stage === 'ResponseComplete'),
    );
    const recorded = Object.entries(event.annotations ?? {}).filter(([, value]) => value.includes(name));
    expect(event.annotations).toMatchObject({ [`${name}/seen`]: 'yes' });
    expect(Object.values(event.annotations ?? {})).not.toContain('no');
    expect(Object.fromEntries(recorded.map(([key, value]) => [key, JSON.parse(value)]))).toEqual({
      'mutation.webhook.admission.platform.io/round_0_index_0': { configuration, webhook: name, mutated: true },
      'patch.webhook.admission.platform.io/round_0_index_0': {
        configuration,
        webhook: name,
        patch,
        patchType: 'JSONPatch',
      },
    });
  });

  it('leaves what it changes to nobody, whether the object is new or not', async () => {
    const namespace = await ground.namespace();
    const path = `/${ground.fresh('stamp')}`;
    ground.hooks.at(path, answering(annotating('stamped', 'yes')));
    await ground.configure('mutating', [ground.webhook(path, namespace)]);
    const { body: made } = await ground.createConfigMap(namespace, { name: 'own' });
    const target = `/api/v1/namespaces/${namespace}/configmaps/own`;
    const document = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'own' }, data: { mine: '1' } };
    const { body: changed } = await ground.done('PUT', target, document);
    for (const { metadata } of [made, changed]) {
      expect(metadata.annotations).toEqual({ stamped: 'yes' });
      expect(JSON.stringify(metadata)).not.toContain('f:annotations');
    }
    expect(JSON.stringify(changed.metadata)).toContain('f:mine');
    // The webhook is shown who owns what.
    expect(JSON.stringify(ground.hooks.callsTo(path).at(-1))).toContain('f:mine');
  });

  it.each([
    ['that does not fit', [{ op: 'remove', path: '/data/none' }], 500],
    ['that is none', [{ op: 'dance' }], 500],
    ['that makes another kind of it', [{ op: 'replace', path: '/kind', value: 'Secret' }], 500],
    ['that gives a field a wrong type', [{ op: 'add', path: '/data', value: 7 }], 500],
    ['that makes it invalid', [{ op: 'add', path: '/data', value: { 'a b': 'c' } }], 422],
    ['that moves it', [{ op: 'replace', path: '/metadata/namespace', value: 'default' }], 400],
  ])('with a patch %s is refused, whatever the failure policy', async (_what, patch, code) => {
    const namespace = await ground.namespace();
    const path = `/${ground.fresh('patch')}`;
    ground.hooks.at(path, answering(patching(patch)));
    await ground.configure('mutating', [ground.webhook(path, namespace, { failurePolicy: 'Ignore' })]);
    const { status, body } = await ground.createConfigMap(namespace);
    expect([status, body.code]).toEqual([code, code]);
  });

  it('cannot change what is being deleted', async () => {
    const namespace = await ground.namespace();
    const path = `/${ground.fresh('gone')}`;
    ground.hooks.at(path, answering(annotating('a', 'b')));
    await ground.createConfigMap(namespace, { name: 'a' });
    await ground.configure('mutating', [ground.webhook(path, namespace)]);
    const { status, body } = await ground.request('DELETE', `/api/v1/namespaces/${namespace}/configmaps/a`);
    expect([status, body.message]).toEqual([500, expect.stringContaining('not supported for this operation')]);
  });

  it('drops what the kind does not have, and defaults what it lacks', async () => {
    const namespace = await ground.namespace();
    const path = `/${ground.fresh('prune')}`;
    const more = [
      { op: 'add', path: '/spec/unknown', value: 1 },
      { op: 'replace', path: '/spec/ports', value: [{ port: 81 }] },
    ];
    ground.hooks.at(path, answering(patching(more)));
    await ground.configure('mutating', [ground.webhook(path, namespace, rule(['services']))]);
    const { body } = await ground.done('POST', `/api/v1/namespaces/${namespace}/services`, {
      metadata: { name: 's' },
      spec: { ports: [{ port: 80 }] },
    });
    expect(body.spec.ports).toEqual([{ protocol: 'TCP', port: 81, targetPort: 81 }]);
    expect(body.spec).not.toHaveProperty('unknown');
  });
});

describe('mutating webhooks', () => {
  const adding = (key: string) =>
    answering(({ object }) =>
      patching([
        ...(object.data ? [] : [{ op: 'add', path: '/data', value: {} }]),
        { op: 'add', path: `/data/${key}`, value: 'set' },
      ]),
    );

  it('go in the order of their configurations and their lists, each seeing what the one before left', async () => {
    const namespace = await ground.namespace();
    const prefix = ground.fresh('order');
    const paths = ['c', 'a', 'b'].map((end) => `/${prefix}-${end}`);
    const [c = '', a = '', b = ''] = paths;
    for (const path of paths) ground.hooks.at(path, adding(path.slice(1)));
    await ground.configure('mutating', [ground.webhook(c, namespace)], `${prefix}-second`);
    await ground.configure('mutating', [ground.webhook(b, namespace), ground.webhook(a, namespace)], `${prefix}-first`);
    const { body } = await ground.createConfigMap(namespace);
    expect(Object.keys(body.data ?? {})).toHaveLength(3);
    const calls = ground.hooks.calls.filter(({ path }) => paths.includes(path));
    expect(calls.map(({ path }) => path)).toEqual([b, a, c]);
    expect(calls.map(({ request }) => Object.keys(Object(request.object.data ?? {})).length)).toEqual([0, 1, 2]);
  });

  it.each([
    ['IfNeeded', 2],
    ['Never', 1],
  ])('that want it %s are asked so often when a later one changed something: %d', async (reinvocationPolicy, times) => {
    const namespace = await ground.namespace();
    const [first, second] = [`/${ground.fresh('first')}`, `/${ground.fresh('second')}`];
    ground.hooks.at(first, allowing);
    ground.hooks.at(second, adding('x'));
    await ground.configure('mutating', [
      ground.webhook(first, namespace, { reinvocationPolicy }),
      ground.webhook(second, namespace, { reinvocationPolicy }),
    ]);
    await ground.createConfigMap(namespace);
    expect(ground.hooks.callsTo(first)).toHaveLength(times);
    expect(ground.hooks.callsTo(first).at(-1)?.object.data).toEqual(times === 2 ? { x: 'set' } : undefined);
    expect(ground.hooks.callsTo(second)).toHaveLength(1);
  });

  it('are not asked for the first time in the second round', async () => {
    const namespace = await ground.namespace();
    const [first, second] = [`/${ground.fresh('first')}`, `/${ground.fresh('second')}`];
    ground.hooks.at(second, answering(patching([{ op: 'add', path: '/metadata/labels', value: { on: 'y' } }])));
    const selector = { objectSelector: { matchLabels: { on: 'y' } } };
    await ground.configure('mutating', [
      ground.webhook(first, namespace, { reinvocationPolicy: 'IfNeeded', ...selector }),
      ground.webhook(second, namespace),
    ]);
    await ground.createConfigMap(namespace);
    expect(ground.hooks.callsTo(first)).toEqual([]);
  });

  it('have the built-in plugins complete what they add', async () => {
    const namespace = await ground.namespace();
    const path = `/${ground.fresh('sidecar')}`;
    const sidecar = { name: 'side', image: 'side' };
    ground.hooks.at(
      path,
      answering(({ object }) => {
        const { containers } = Object(object.spec);
        return containers.length > 1 ? {} : patching([{ op: 'add', path: '/spec/containers/-', value: sidecar }]);
      }),
    );
    await ground.configure('mutating', [ground.webhook(path, namespace, rule(['pods']))]);
    await eventually(async () => {
      const account = await ground.request('GET', `/api/v1/namespaces/${namespace}/serviceaccounts/default`);
      return account.status === 200 ? true : undefined;
    });
    const { body } = await ground.done('POST', `/api/v1/namespaces/${namespace}/pods`, {
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'main', image: 'main' }] },
    });
    const { containers, volumes } = Object(body.spec);
    expect(volumes).toHaveLength(1);
    for (const { volumeMounts } of containers) expect(volumeMounts).toMatchObject([{ name: volumes[0].name }]);
    expect(containers.map(({ name }: { name: string }) => name)).toEqual(['main', 'side']);
  });
});

describe('validating webhooks', () => {
  it('are asked at the same time, after everything was changed', async () => {
    const namespace = await ground.namespace();
    const paths = [0, 1, 2].map(() => `/${ground.fresh('together')}`);
    let waiting: (() => void)[] = [];
    for (const path of paths) {
      ground.hooks.at(path, async (call, response) => {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          if (waiting.length === paths.length) for (const go of waiting) go();
        });
        await allowing(call, response);
      });
    }
    const mutating = `/${ground.fresh('before')}`;
    ground.hooks.at(mutating, answering(annotating('changed', 'yes')));
    await ground.configure(
      'validating',
      paths.map((path) => ground.webhook(path, namespace)),
    );
    await ground.configure('mutating', [ground.webhook(mutating, namespace)]);
    expect((await ground.createConfigMap(namespace)).status).toBe(201);
    for (const path of paths) {
      expect(ground.hooks.only(path).object.metadata).toMatchObject({ annotations: { changed: 'yes' } });
      expect(ground.hooks.only(path).object.metadata.uid).toBeTruthy();
    }
    waiting = [];
  });

  it('refuse if one of them does, and nothing is stored', async () => {
    const namespace = await ground.namespace();
    const [yes, no] = [`/${ground.fresh('yes')}`, `/${ground.fresh('no')}`];
    ground.hooks.at(no, refusing);
    await ground.configure('validating', [ground.webhook(yes, namespace), ground.webhook(no, namespace)]);
    expect((await ground.createConfigMap(namespace, { name: 'a' })).status).toBe(400);
    expect((await ground.request('GET', `/api/v1/namespaces/${namespace}/configmaps/a`)).status).toBe(404);
  });
});
