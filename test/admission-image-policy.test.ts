import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { TestAuthority } from './support/certificates.ts';
import type { Answer } from './support/client.ts';
import { remoteConfiguration } from './support/remote-configuration.ts';
import { RemoteService } from './support/remote-service.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const authority = new TestAuthority('images');
const runtime = new ShiftableRuntime();
let directory: string;
let service: RemoteService;
let plane: TestServer;

/** Certificates of a server that starts in the future are not good today: those that start late have a clock of their own. */
async function start(policy: object, clock = new ShiftableRuntime()): Promise<TestServer> {
  const admissionControlConfigFile = join(directory, 'admission.json');
  const kubeConfigFile = join(directory, 'images.conf');
  const auditPolicyFile = join(directory, 'audit-policy.json');
  await writeFile(kubeConfigFile, remoteConfiguration(authority, `${service.url}/review`));
  await writeFile(
    auditPolicyFile,
    JSON.stringify({ apiVersion: 'audit.platform.io/v1', kind: 'Policy', rules: [{ level: 'Metadata' }] }),
  );
  const configuration = { imagePolicy: { kubeConfigFile, retryBackoff: 1, ...policy } };
  await writeFile(
    admissionControlConfigFile,
    JSON.stringify({
      apiVersion: 'apiserver.config.platform.io/v1',
      kind: 'AdmissionConfiguration',
      plugins: [{ name: 'ImagePolicyWebhook', configuration }],
    }),
  );
  return startTestServer({
    runtime: clock,
    admissionControlConfigFile,
    auditPolicyFile,
    auditLogPath: join(directory, 'audit.log'),
    enableAdmissionPlugins: ['ImagePolicyWebhook'],
    disableAdmissionPlugins: ['ServiceAccount'],
  });
}

beforeAll(async () => {
  directory = await makeDirectory();
  service = await RemoteService.open(authority);
  plane = await start({}, runtime);
});

afterAll(async () => {
  await plane.close();
  await service.close();
  await removeDirectory(directory);
});

const PODS = '/api/v1/namespaces/default/pods';
let count = 0;

const create = (image: string, annotations: object = {}, to = plane): Promise<Answer> =>
  to.admin.request('POST', PODS, {
    metadata: { name: `p${count++}`, annotations },
    spec: {
      containers: [{ name: 'main', image }],
      initContainers: [{ name: 'first', image: 'example/init:1' }],
    },
  });

/** Answers with this status, in the version that was asked. */
const answerWith = (status: object): void => {
  service.answer = ({ body }) => ({ body: { ...JSON.parse(body), status } });
};

/** What was recorded of the pod last tried for. */
async function recorded(name = `p${count - 1}`): Promise<object> {
  const lines = (await readFile(join(directory, 'audit.log'), 'utf8')).split('\n').filter((line) => line !== '');
  const events = lines.map((line) => JSON.parse(line));
  return events.findLast((event) => event.objectRef?.name === name)?.annotations ?? {};
}

beforeEach(() => {
  service.received.length = 0;
  answerWith({ allowed: true });
});

describe('the images of a pod', () => {
  it('are shown to the service, with the annotations that are meant for it', async () => {
    const annotations = { 'mine.image-policy.platform.io/ticket': '1', other: 'x' };
    expect((await create('example/shown:1', annotations)).status).toBe(201);
    const [{ path, client, body } = { path: '', client: '', body: '{}' }] = service.received;
    expect([path, client]).toEqual(['/review', 'the-server']);
    expect(JSON.parse(body)).toMatchObject({
      apiVersion: 'imagepolicy.platform.io/v1alpha1',
      kind: 'ImageReview',
      spec: {
        containers: [{ image: 'example/shown:1' }, { image: 'example/init:1' }],
        annotations: { 'mine.image-policy.platform.io/ticket': '1' },
        namespace: 'default',
      },
    });
  });

  it('are refused with the reason that the service gives, and recorded with its annotations', async () => {
    answerWith({ allowed: false, reason: 'too old', auditAnnotations: { scanner: 'x' } });
    const { status, body } = await create('example/refused:1');
    expect([status, body.message]).toEqual([
      403,
      `pods "p${count - 1}" is forbidden: image policy webhook backend denied one or more images: too old`,
    ]);
    await expect
      .poll(() => recorded(), { timeout: 5000 })
      .toMatchObject({ 'imagepolicywebhook.image-policy.platform.io/scanner': 'x' });
    answerWith({ allowed: false });
    expect((await create('example/refused:2')).body.message).toContain(
      'one or more images rejected by webhook backend',
    );
  });

  it('are not asked about again until the answer is too old, which a refusal is sooner', async () => {
    const asked = async (image: string): Promise<number> => {
      service.received.length = 0;
      await create(image);
      return service.received.length;
    };
    expect([await asked('example/good:1'), await asked('example/good:1')]).toEqual([1, 0]);
    answerWith({ allowed: false });
    expect([await asked('example/bad:1'), await asked('example/bad:1')]).toEqual([1, 0]);
    runtime.advance(31_000);
    expect([await asked('example/good:1'), await asked('example/bad:1')]).toEqual([0, 1]);
    runtime.advance(270_000);
    expect(await asked('example/good:1')).toBe(1);
  });

  it('of containers that join later are asked about by themselves', async () => {
    await create('example/joined:1');
    const path = `${PODS}/p${count - 1}/ephemeralcontainers`;
    const ephemeralContainers = [{ name: 'look', image: 'example/debug:1' }];
    answerWith({ allowed: false });
    service.received.length = 0;
    expect((await plane.admin.request('PATCH', path, { spec: { ephemeralContainers } })).status).toBe(403);
    expect(JSON.parse(service.received[0]?.body ?? '{}').spec.containers).toEqual([{ image: 'example/debug:1' }]);
  });
});

describe('while the service cannot answer', () => {
  it('it is asked again, and then nothing may run', async () => {
    service.answer = () => ({ status: 500, body: {} });
    const { status, body } = await create('example/unknown:1');
    expect([status, body.message]).toEqual([
      403,
      `pods "p${count - 1}" is forbidden: the image policy webhook answered 500`,
    ]);
    expect(service.received.length).toBe(4);
  });

  it('everything may run where that is wanted, and the record says so', async () => {
    const open = await start({ defaultAllow: true });
    onTestFinished(() => open.close());
    service.answer = () => ({ body: 'nonsense' });
    expect((await create('example/unknown:2', {}, open)).status).toBe(201);
    await expect
      .poll(() => recorded(), { timeout: 5000 })
      .toMatchObject({ 'imagepolicywebhook.image-policy.platform.io/failed-open': 'true' });
  });
});

it.each([
  ['no file', { kubeConfigFile: '' }, 'imagePolicy.kubeConfigFile must name a file'],
  ['a file that is not there', { kubeConfigFile: '/nowhere' }, '/nowhere'],
  ['too long a memory', { allowTTL: 1801 }, 'imagePolicy.allowTTL must be between 1 and 1800'],
])('a configuration with %s is refused at the start', async (_what, policy, why) => {
  await expect(start(policy)).rejects.toThrow(why);
});
