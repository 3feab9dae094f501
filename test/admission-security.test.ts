import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const label = (mode: string): string => `pod-security.platform.io/${mode}`;

const container = { name: 'main', image: 'example/main:1' };
const plain = { containers: [container], automountServiceAccountToken: false };
const privileged = { ...plain, containers: [{ ...container, securityContext: { privileged: true } }] };

describe('pod security', () => {
  let plane: TestServer;
  beforeAll(async () => {
    plane = await startTestServer({ allowPrivileged: true });
  });
  afterAll(() => plane.close());

  let count = 0;
  async function namespaceWith(labels: Record<string, string>): Promise<string> {
    const name = `secured-${count++}`;
    const { status, text } = await plane.admin.request('POST', '/api/v1/namespaces', { metadata: { name, labels } });
    expect(status, text).toBe(201);
    return name;
  }
  const createPod = (namespace: string, name: string, spec: object) =>
    plane.admin.request('POST', `/api/v1/namespaces/${namespace}/pods`, { metadata: { name }, spec });
  const relabel = (namespace: string, labels: Record<string, string | null>) =>
    plane.admin.request(
      'PATCH',
      `/api/v1/namespaces/${namespace}`,
      { metadata: { labels } },
      { 'content-type': 'application/merge-patch+json' },
    );

  it('asks nothing where no label says so', async () => {
    const namespace = await namespaceWith({});
    const { status, headers } = await createPod(namespace, 'a', privileged);
    expect(status).toBe(201);
    expect(headers.warning).toBeUndefined();
  });

  it('refuses what is enforced, and says all of what is wrong and where', async () => {
    const namespace = await namespaceWith({ [label('enforce')]: 'baseline' });
    const { status, body } = await createPod(namespace, 'a', { ...privileged, hostPID: true });
    expect(status).toBe(403);
    expect(body).toMatchObject({
      reason: 'Forbidden',
      message:
        'pods "a" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostPID=true), ' +
        'privileged (container "main" must not set securityContext.privileged=true)',
    });
    expect((await createPod(namespace, 'b', plain)).status).toBe(201);
  });

  it('warns where it is asked to, of templates as well, and stores them', async () => {
    const namespace = await namespaceWith({ [label('warn')]: 'baseline', [label('warn-version')]: 'v1.24' });
    const text = 'would violate PodSecurity \\"baseline:v1.24\\": privileged';
    const created = await createPod(namespace, 'a', privileged);
    expect(created.status).toBe(201);
    expect(created.headers.warning).toContain(text);
    const template = { metadata: { labels: { app: 'a' } }, spec: privileged };
    const deployment = await plane.admin.request('POST', `/apis/apps/v1/namespaces/${namespace}/deployments`, {
      metadata: { name: 'a' },
      spec: { selector: { matchLabels: { app: 'a' } }, template },
    });
    expect(deployment.status).toBe(201);
    expect(deployment.headers.warning).toContain(text);
    const cronJob = await plane.admin.request('POST', `/apis/batch/v1/namespaces/${namespace}/cronjobs`, {
      metadata: { name: 'a' },
      spec: {
        schedule: '@daily',
        jobTemplate: { spec: { template: { spec: { ...privileged, restartPolicy: 'Never' } } } },
      },
    });
    expect(cronJob.status).toBe(201);
    expect(cronJob.headers.warning).toContain(text);
  });

  it('looks at updates only when they change what it looks at', async () => {
    const namespace = await namespaceWith({});
    await createPod(namespace, 'a', privileged);
    await relabel(namespace, { [label('enforce')]: 'baseline' });
    const patch = (body: object) =>
      plane.admin.request('PATCH', `/api/v1/namespaces/${namespace}/pods/a`, body, {
        'content-type': 'application/strategic-merge-patch+json',
      });
    expect((await patch({ spec: { containers: [{ name: 'main', image: 'example/main:2' }] } })).status).toBe(200);
    const debug = { name: 'debug', image: 'example/debug:1', securityContext: { privileged: true } };
    const { status } = await plane.admin.request(
      'PATCH',
      `/api/v1/namespaces/${namespace}/pods/a/ephemeralcontainers`,
      { spec: { ephemeralContainers: [debug] } },
      { 'content-type': 'application/strategic-merge-patch+json' },
    );
    expect(status).toBe(403);
  });

  it('refuses labels that make no sense, once they are touched', async () => {
    const made = await plane.admin.request('POST', '/api/v1/namespaces', {
      metadata: { name: 'senseless', labels: { [label('enforce')]: 'paranoid', [label('warn-version')]: 'v9' } },
    });
    expect(made.status).toBe(422);
    expect(made.body.details).toMatchObject({
      causes: [
        { reason: 'FieldValueInvalid', field: `metadata.labels[${label('enforce')}]` },
        { reason: 'FieldValueInvalid', field: `metadata.labels[${label('warn-version')}]` },
      ],
    });
  });

  it('tells of pods that a stricter label would refuse, those alike together, and not when it is relaxed', async () => {
    const namespace = await namespaceWith({});
    for (const name of ['a', 'b', 'c']) await createPod(namespace, name, privileged);
    const stricter = await relabel(namespace, { [label('enforce')]: 'baseline' });
    expect(stricter.status).toBe(200);
    expect(stricter.headers.warning).toContain(
      `existing pods in namespace \\"${namespace}\\" violate the new PodSecurity enforce level \\"baseline:latest\\"`,
    );
    expect(stricter.headers.warning).toContain('a (and 2 other pods): privileged');
    expect((await relabel(namespace, { [label('enforce')]: 'privileged' })).headers.warning).toBeUndefined();
  });
});

it('whom the configuration exempts may do anything, and its defaults count where no label does', async () => {
  const directory = await temporaryDirectory();
  const file = join(directory, 'admission.json');
  const configuration = {
    apiVersion: 'pod-security.admission.config.platform.io/v1',
    kind: 'PodSecurityConfiguration',
    defaults: { enforce: 'baseline' },
    exemptions: { namespaces: ['exempt'] },
  };
  const document = {
    apiVersion: 'apiserver.config.platform.io/v1',
    kind: 'AdmissionConfiguration',
    plugins: [{ name: 'PodSecurity', configuration }],
  };
  await writeFile(file, JSON.stringify(document));
  const plane = await startTestServer({ admissionControlConfigFile: file, allowPrivileged: true });
  try {
    const outcomes: number[] = [];
    for (const namespace of ['exempt', 'other']) {
      await plane.admin.request('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
      const pod = { metadata: { name: 'a' }, spec: privileged };
      outcomes.push((await plane.admin.request('POST', `/api/v1/namespaces/${namespace}/pods`, pod)).status);
    }
    expect(outcomes).toEqual([201, 403]);
  } finally {
    await plane.close();
  }
});
