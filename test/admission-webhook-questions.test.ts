import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rule, WebhookPlane } from './support/webhook-plane.ts';
import { annotating, answering, patching, refusing } from './support/webhook-server.ts';

let ground: WebhookPlane;
beforeAll(async () => {
  ground = await WebhookPlane.start();
});
afterAll(() => ground.close());

const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps' };

describe('a webhook is told', () => {
  it('what is created, by whom and how', async () => {
    const namespace = await ground.namespace();
    const path = `/${ground.fresh('told')}`;
    await ground.configure('validating', [ground.webhook(path, namespace)]);
    await ground.createConfigMap(namespace, { name: 'a', labels: { b: 'c' } }, '?fieldManager=me&fieldValidation=Warn');
    const { uid, ...asked } = ground.hooks.only(path);
    expect(uid).toMatch(/^[-0-9a-f]{36}$/);
    expect(asked).toMatchObject({
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      resource: CONFIG_MAPS,
      requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
      requestResource: CONFIG_MAPS,
      name: 'a',
      namespace,
      operation: 'CREATE',
      object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a', labels: { b: 'c' } } },
      oldObject: null,
      dryRun: false,
      options: {
        kind: 'CreateOptions',
        apiVersion: 'meta.platform.io/v1',
        fieldManager: 'me',
        fieldValidation: 'Warn',
      },
    });
    expect(asked.userInfo.groups).toContain('system:masters');
    expect(asked).not.toHaveProperty('subResource');
    const call = ground.hooks.calls.find((one) => one.path === path);
    expect(call).toMatchObject({ apiVersion: 'admission.platform.io/v1' });
    expect(call?.headers['content-type']).toBe('application/json');
  });

  it('what an object was before, and how it is deleted', async () => {
    const namespace = await ground.namespace();
    const path = `/${ground.fresh('told')}`;
    const at = `/api/v1/namespaces/${namespace}/configmaps/a`;
    await ground.createConfigMap(namespace, { name: 'a' });
    await ground.configure('mutating', [ground.webhook(path, namespace)]);
    await ground.done('PATCH', at, { data: { k: 'v' } });
    await ground.done('DELETE', at, { propagationPolicy: 'Background', gracePeriodSeconds: 7 });
    expect(ground.hooks.callsTo(path)).toMatchObject([
      {
        operation: 'UPDATE',
        object: { data: { k: 'v' } },
        oldObject: { metadata: { name: 'a' } },
        options: { kind: 'UpdateOptions' },
      },
      {
        operation: 'DELETE',
        object: null,
        oldObject: { data: { k: 'v' } },
        options: { kind: 'DeleteOptions', propagationPolicy: 'Background', gracePeriodSeconds: 7 },
      },
    ]);
  });

  it('of each object that goes with its collection', async () => {
    const namespace = await ground.namespace();
    const path = `/${ground.fresh('told')}`;
    for (const name of ['a', 'b']) await ground.createConfigMap(namespace, { name, labels: { mine: 'y' } });
    await ground.configure('validating', [
      ground.webhook(path, namespace, rule(['configmaps'], [''], ['v1'], ['DELETE'])),
    ]);
    await ground.done('DELETE', `/api/v1/namespaces/${namespace}/configmaps?labelSelector=mine%3Dy`);
    const names = ground.hooks.callsTo(path).map(({ name }) => name);
    expect(names.sort()).toEqual(['a', 'b']);
  });

  it('in the older version of the question when it knows no other, and then need not repeat the uid', async () => {
    const namespace = await ground.namespace();
    const path = `/${ground.fresh('told')}`;
    ground.hooks.at(path, answering({ uid: '', ...annotating('older', 'yes'), patchType: undefined }));
    await ground.configure('mutating', [
      ground.webhook(path, namespace, { admissionReviewVersions: ['v7', 'v1beta1', 'v1'] }),
    ]);
    const { status, body } = await ground.createConfigMap(namespace);
    expect(status).toBe(201);
    expect(body.metadata.annotations).toEqual({ older: 'yes' });
    expect(ground.hooks.calls.at(-1)?.apiVersion).toBe('admission.platform.io/v1beta1');
  });

  it('of a change of status or of scale as what is written there, and may change that', async () => {
    const namespace = await ground.namespace();
    const [statusPath, scalePath] = [`/${ground.fresh('status')}`, `/${ground.fresh('scale')}`];
    const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await ground.done('POST', deployments, {
      metadata: { name: 'd' },
      spec: { replicas: 1, selector: { matchLabels: { a: 'b' } }, template },
    });
    ground.hooks.at(scalePath, answering(patching([{ op: 'replace', path: '/spec/replicas', value: 5 }])));
    await ground.configure('mutating', [
      ground.webhook(statusPath, namespace, rule(['*/status'], ['apps'])),
      ground.webhook(scalePath, namespace, rule(['deployments/scale'], ['apps'])),
    ]);
    await ground.done('PATCH', `${deployments}/d/status`, { status: { replicas: 3 } });
    const scaled = await ground.done('PATCH', `${deployments}/d/scale`, { spec: { replicas: 2 } });
    expect(ground.hooks.only(statusPath)).toMatchObject({
      subResource: 'status',
      kind: { kind: 'Deployment' },
      object: { status: { replicas: 3 } },
    });
    expect(ground.hooks.only(scalePath)).toMatchObject({
      kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      resource: { group: 'apps', version: 'v1', resource: 'deployments' },
      subResource: 'scale',
      requestSubResource: 'scale',
      object: { kind: 'Scale', spec: { replicas: 2 } },
      oldObject: { kind: 'Scale', spec: { replicas: 1 } },
    });
    expect(scaled.body.spec).toEqual({ replicas: 5 });
    expect((await ground.done('GET', `${deployments}/d`)).body.spec).toMatchObject({ replicas: 5 });
  });

  it('of connections with what they are asked for', async () => {
    const namespace = await ground.namespace();
    const path = `/${ground.fresh('exec')}`;
    ground.hooks.at(
      path,
      answering({ allowed: false, status: { code: 403, reason: 'Forbidden', message: 'not here' } }),
    );
    await ground.configure('validating', [
      ground.webhook(path, namespace, rule(['pods/exec'], [''], ['v1'], ['CONNECT'])),
    ]);
    const query = 'command=ls&command=-l&stdout=true';
    const answer = await ground.request('POST', `/api/v1/namespaces/${namespace}/pods/p/exec?${query}`);
    expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining('not here')]);
    expect(ground.hooks.only(path)).toMatchObject({
      operation: 'CONNECT',
      name: 'p',
      subResource: 'exec',
      kind: { kind: 'PodExecOptions' },
      object: { kind: 'PodExecOptions', command: ['ls', '-l'], stdout: true },
      oldObject: null,
      options: null,
    });
  });

  it('of what is posted to have something done', async () => {
    const namespace = await ground.namespace();
    const path = `/${ground.fresh('posted')}`;
    ground.hooks.at(path, answering(patching([{ op: 'replace', path: '/spec/expirationSeconds', value: 1234 }])));
    await ground.done('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'mine' } });
    await ground.configure('mutating', [ground.webhook(path, namespace, rule(['serviceaccounts/token']))]);
    const { body } = await ground.done('POST', `/api/v1/namespaces/${namespace}/serviceaccounts/mine/token`, {
      spec: { expirationSeconds: 700 },
    });
    expect(ground.hooks.only(path)).toMatchObject({
      operation: 'CREATE',
      kind: { group: 'authentication.platform.io', version: 'v1', kind: 'TokenRequest' },
      resource: { resource: 'serviceaccounts' },
      subResource: 'token',
      object: { spec: { expirationSeconds: 700 } },
    });
    expect(body.spec).toMatchObject({ expirationSeconds: 1234 });
  });
});

describe('versions of the same object', () => {
  const autoscaler = { scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }, maxReplicas: 3 };
  const older = { ...autoscaler, targetCPUUtilizationPercentage: 55 };
  const inOlder = (namespace: string) => `/apis/autoscaling/v1/namespaces/${namespace}/horizontalpodautoscalers`;
  const inNewer = (namespace: string) => `/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers`;
  const ruleFor = (version: string) => rule(['horizontalpodautoscalers'], ['autoscaling'], [version]);

  it.each([
    ['v1', 'v2'],
    ['v2', 'v1'],
  ])('are shown to a webhook for %s as it knows them when a client writes %s', async (known, written) => {
    const namespace = await ground.namespace();
    const path = `/${ground.fresh('version')}`;
    ground.hooks.at(path, answering(patching([{ op: 'replace', path: '/spec/maxReplicas', value: 9 }])));
    await ground.configure('mutating', [ground.webhook(path, namespace, ruleFor(known))]);
    const at = written === 'v1' ? inOlder(namespace) : inNewer(namespace);
    const { body } = await ground.done('POST', at, {
      metadata: { name: 'h' },
      spec: written === 'v1' ? older : autoscaler,
    });
    expect(ground.hooks.only(path)).toMatchObject({
      kind: { group: 'autoscaling', version: known, kind: 'HorizontalPodAutoscaler' },
      resource: { version: known },
      requestKind: { version: written },
      requestResource: { version: written },
      object: { apiVersion: `autoscaling/${known}` },
    });
    expect(body).toMatchObject({ apiVersion: `autoscaling/${written}`, spec: { maxReplicas: 9 } });
    const newer = await ground.done('GET', `${inNewer(namespace)}/h`);
    const target = written === 'v1' ? 55 : 80;
    expect(newer.body.spec).toMatchObject({
      maxReplicas: 9,
      metrics: [{ resource: { target: { averageUtilization: target } } }],
    });
  });

  it('do not count for a webhook that takes its rules exactly', async () => {
    const namespace = await ground.namespace();
    const [exact, own] = [`/${ground.fresh('exact')}`, `/${ground.fresh('own')}`];
    await ground.configure('validating', [
      ground.webhook(exact, namespace, { ...ruleFor('v2'), matchPolicy: 'Exact' }),
      ground.webhook(own, namespace, { ...ruleFor('v1'), matchPolicy: 'Exact' }),
    ]);
    await ground.done('POST', inOlder(namespace), { metadata: { name: 'h' }, spec: older });
    expect(ground.hooks.callsTo(exact)).toEqual([]);
    expect(ground.hooks.only(own).object).toMatchObject({ spec: { targetCPUUtilizationPercentage: 55 } });
  });
});

describe('a webhook is asked only', () => {
  it('about objects that have, or had, the labels it wants', async () => {
    const namespace = await ground.namespace();
    const path = `/${ground.fresh('labels')}`;
    await ground.configure('validating', [
      ground.webhook(path, namespace, { objectSelector: { matchLabels: { on: 'y' } } }),
    ]);
    const at = `/api/v1/namespaces/${namespace}/configmaps`;
    await ground.createConfigMap(namespace, { name: 'off' });
    await ground.createConfigMap(namespace, { name: 'on', labels: { on: 'y' } });
    await ground.done('PATCH', `${at}/on`, { metadata: { labels: { on: null } } });
    await ground.done('PATCH', `${at}/on`, { data: { unseen: 'yes' } });
    expect(ground.hooks.callsTo(path).map(({ operation }) => operation)).toEqual(['CREATE', 'UPDATE']);
  });

  it('about namespaces whose own labels it wants, as they are about to be', async () => {
    const path = `/${ground.fresh('spaces')}`;
    const tag = ground.fresh('tag');
    await ground.configure('validating', [
      ground.webhook(path, '', {
        ...rule(['namespaces']),
        namespaceSelector: { matchExpressions: [{ key: tag, operator: 'Exists' }] },
      }),
    ]);
    const untagged = await ground.namespace();
    const tagged = await ground.namespace({ [tag]: 'y' });
    await ground.done('PATCH', `/api/v1/namespaces/${untagged}`, { metadata: { labels: { [tag]: 'y' } } });
    await ground.done('DELETE', `/api/v1/namespaces/${tagged}`);
    const asked = ground.hooks.callsTo(path).map(({ operation, name, namespace }) => [operation, name, namespace]);
    expect(asked.slice(0, 3)).toEqual([
      ['CREATE', tagged, tagged],
      ['UPDATE', untagged, untagged],
      ['DELETE', tagged, tagged],
    ]);
  });

  it('about what is in no namespace whatever namespaces it wants', async () => {
    const path = `/${ground.fresh('cluster')}`;
    await ground.configure('validating', [ground.webhook(path, 'no-such', rule(['persistentvolumes']))]);
    await ground.request('POST', '/api/v1/persistentvolumes?dryRun=All', {
      metadata: { name: 'v' },
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
    });
    expect(ground.hooks.only(path)).toMatchObject({ name: 'v', dryRun: true });
    expect(ground.hooks.only(path)).not.toHaveProperty('namespace');
  });

  it('about anything but the configuration of webhooks', async () => {
    const path = `/${ground.fresh('all')}`;
    ground.hooks.at(path, refusing);
    const everything = {
      ...rule(['*/*'], ['*'], ['*']),
      namespaceSelector: {},
      objectSelector: { matchLabels: { caught: 'y' } },
    };
    const namespace = await ground.namespace();
    const at = await ground.configure('validating', [ground.webhook(path, '', everything)]);
    expect((await ground.createConfigMap(namespace, { labels: { caught: 'y' } })).status).toBe(400);
    await ground.done('PATCH', at, { metadata: { labels: { caught: 'y' } } });
    await ground.done('DELETE', at);
    expect((await ground.createConfigMap(namespace, { labels: { caught: 'y' } })).status).toBe(201);
  });
});
