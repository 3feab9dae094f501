import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { StartOptions } from '../src/server/server.ts';
import { eventsOf, policyFile } from './support/audit.ts';
import { TestAuthority } from './support/certificates.ts';
import { type Answer, http1Client, withToken } from './support/client.ts';
import { remoteConfiguration, trusting } from './support/remote-configuration.ts';
import { RemoteService } from './support/remote-service.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const GROUP = 'authorization.platform.io';
const RBAC_GROUP = 'rbac.authorization.platform.io';
const authority = new TestAuthority('webhook');
const runtime = new ShiftableRuntime();

let directory: string;
let service: RemoteService;
let plane: TestServer;

beforeAll(async () => {
  directory = await makeDirectory();
  service = await RemoteService.open(authority);
  await configure('webhook.conf', `${service.url}/authorize`);
  await writeFile(join(directory, 'tokens.csv'), 'alice-token,alice,7,"dev,ops"\n');
  plane = await start({});
});

afterAll(async () => {
  await plane.close();
  await service.close();
  await removeDirectory(directory);
});

const configure = (name: string, server: string, changes: object = {}): Promise<void> =>
  writeFile(join(directory, name), remoteConfiguration(authority, server, changes));

function start(changes: StartOptions): Promise<TestServer> {
  return startTestServer({
    runtime,
    tokenAuthFile: join(directory, 'tokens.csv'),
    authorizationMode: ['Webhook', 'RBAC'],
    authorizationWebhookConfigFile: join(directory, 'webhook.conf'),
    ...changes,
  });
}

/** Answers with this status, in the version that was asked. */
const answerWith = (status: object): void => {
  service.answer = ({ body }) => ({ body: { ...JSON.parse(body), status } });
};

beforeEach(() => {
  service.received.length = 0;
  answerWith({ allowed: false });
});

let count = 0;
/** A path that nobody has been asked about. */
const newPath = (): string => `/api/v1/namespaces/default/secrets/s${count++}`;

async function asAlice(path: string, server = plane): Promise<Answer> {
  const client = http1Client(withToken(server.connection, 'alice-token'));
  onTestFinished(() => client.close());
  return client.request('GET', path);
}

/** Lets the time pass that the server spends waiting. */
async function hurried<T>(answer: Promise<T>, clock = runtime): Promise<T> {
  const hurry = setInterval(() => clock.advance(1000), 10);
  return answer.finally(() => clearInterval(hurry));
}

/** What the service was asked about users; control loops have it asked as well. */
const asked = (): { spec: { user: string } }[] =>
  service.received
    .map(({ body }) => JSON.parse(body))
    .filter(({ spec }) => !spec.user.startsWith('system:serviceaccount:'));

describe('the service', () => {
  it('is asked who wants what, in its version', async () => {
    answerWith({ allowed: true });
    expect((await asAlice('/api/v1/namespaces/default/pods/p/log')).status).toBe(404);
    expect(service.received.at(-1)).toMatchObject({ method: 'POST', path: '/authorize', client: 'the-server' });
    expect(asked()[0]).toEqual({
      apiVersion: `${GROUP}/v1beta1`,
      kind: 'SubjectAccessReview',
      metadata: {},
      spec: {
        resourceAttributes: {
          namespace: 'default',
          verb: 'get',
          version: 'v1',
          resource: 'pods',
          subresource: 'log',
          name: 'p',
        },
        user: 'alice',
        uid: '7',
        group: ['dev', 'ops', 'system:authenticated'],
      },
    });
    expect((await asAlice('/nowhere')).status).toBe(404);
    expect(asked()[1]).toMatchObject({ spec: { nonResourceAttributes: { path: '/nowhere', verb: 'get' } } });

    const newer = await start({ authorizationWebhookVersion: 'v1' });
    onTestFinished(() => newer.close());
    expect((await asAlice('/nowhere', newer)).status).toBe(404);
    expect(asked()[2]).toMatchObject({
      apiVersion: `${GROUP}/v1`,
      spec: { groups: ['dev', 'ops', 'system:authenticated'] },
    });
  });

  it('is not asked about those who may do everything', async () => {
    expect((await plane.admin.request('GET', newPath())).status).toBe(404);
    expect(asked()).toEqual([]);
  });

  it('gives a reason, which those refused hear', async () => {
    for (const status of [{ allowed: false }, { allowed: false, denied: true }]) {
      answerWith({ ...status, reason: 'not on sundays' });
      const { status: code, body } = await asAlice(newPath());
      expect(code).toBe(403);
      expect(body.message).toMatch(/User "alice" cannot get .*: not on sundays$/);
    }
  });

  it('leaves to the modes after it what it has no opinion about, and nothing that it forbids', async () => {
    const path = `/apis/${RBAC_GROUP}/v1/clusterrolebindings`;
    await plane.admin.request('POST', path, {
      metadata: { name: 'alice-view' },
      roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: 'view' },
      subjects: [{ apiGroup: RBAC_GROUP, kind: 'User', name: 'alice' }],
    });
    onTestFinished(async () => void (await plane.admin.request('DELETE', `${path}/alice-view`)));
    const pod = (): string => newPath().replace('secrets', 'pods');
    expect((await asAlice(pod())).status).toBe(404);
    answerWith({ allowed: false, denied: true });
    expect((await asAlice(pod())).status).toBe(403);
    service.answer = () => ({ status: 400, body: {} });
    expect((await asAlice(pod())).status).toBe(404);
    expect((await asAlice(newPath())).status).toBe(500);
  });
});

describe('a decision', () => {
  it('is remembered for five minutes when it allows, for half a minute when it does not', async () => {
    const [good, bad] = [newPath(), newPath()];
    const statuses = async (path: string): Promise<number[]> => [
      (await asAlice(path)).status,
      (await asAlice(path)).status,
    ];
    answerWith({ allowed: true });
    expect(await statuses(good)).toEqual([404, 404]);
    answerWith({ allowed: false });
    expect(await statuses(bad)).toEqual([403, 403]);
    expect(asked().length).toBe(2);
    answerWith({ allowed: true });
    runtime.advance(31_000);
    expect(await statuses(bad)).toEqual([404, 404]);
    answerWith({ allowed: false });
    runtime.advance(260_000);
    expect(await statuses(good)).toEqual([404, 404]);
    runtime.advance(10_000);
    expect(await statuses(good)).toEqual([403, 403]);
    expect(asked().length).toBe(4);
  });

  it('is for that user and that question alone', async () => {
    answerWith({ allowed: true });
    const path = newPath();
    await asAlice(path);
    await asAlice(`${path}?watch=1&timeoutSeconds=1`);
    const bob = { 'impersonate-user': 'bob', 'impersonate-group': ['dev', 'ops'] };
    await plane.admin.request('GET', path, undefined, bob);
    expect(asked().length).toBe(3);
  });

  it('is asked for once by all who want it at the same time', async () => {
    answerWith({ allowed: true });
    const path = newPath();
    const answers = await Promise.all(Array.from({ length: 8 }, () => asAlice(path)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(404));
    expect(asked().length).toBe(1);
  });

  it('about something very long is not kept', async () => {
    answerWith({ allowed: true });
    const path = `/${'x'.repeat(10_000)}`;
    for (let at = 0; at < 2; at++) expect((await asAlice(path)).status).toBe(404);
    expect(asked().length).toBe(2);
  });
});

describe('a failure of the service', () => {
  it('is a failure of the request, which says what failed and is not remembered', async () => {
    const path = newPath();
    service.answer = () => ({ status: 503, body: {} });
    const { status, body } = await hurried(asAlice(path));
    expect(status).toBe(500);
    expect(body).toMatchObject({ kind: 'Status', reason: 'InternalError' });
    expect(body.message).toBe('Internal error occurred: the authorization webhook answered 503');
    expect(asked().length).toBe(4);
    answerWith({ allowed: true });
    expect((await asAlice(path)).status).toBe(404);
  });

  it('is recorded as a failure, not as a refusal', async () => {
    const file = join(directory, 'audit.log');
    const auditPolicyFile = await policyFile(directory, [{ level: 'Metadata' }]);
    const server = await start({ runtime: new ShiftableRuntime(), auditPolicyFile, auditLogPath: file });
    onTestFinished(() => server.close());
    service.answer = () => ({ status: 400, body: {} });
    const { headers } = await asAlice(newPath(), server);
    const events = await eventsOf(file, String(headers['audit-id']));
    expect(events.at(-1)).toMatchObject({ responseStatus: { code: 500 } });
    const annotations = events.at(-1)?.annotations;
    expect(annotations).toMatchObject({ [`${GROUP}/reason`]: 'internal error' });
    expect(annotations).not.toHaveProperty([`${GROUP}/decision`]);
  });

  it('that passes is not noticed', async () => {
    const failing = { count: 0 };
    service.answer = ({ body }) =>
      failing.count++ < 3 ? { status: 429, body: {} } : { body: { ...JSON.parse(body), status: { allowed: true } } };
    expect((await hurried(asAlice(newPath()))).status).toBe(404);
  });

  it('to answer in time does not hold the request for ever', async () => {
    service.answer = () => new Promise(() => {});
    const { status, body } = await hurried(asAlice(newPath()));
    expect(status).toBe(500);
    expect(body.message).toContain('did not answer in time');
    expect(asked().length).toBe(1);
  });

  it.each<[string, unknown]>([
    ['another version', { apiVersion: `${GROUP}/v1`, kind: 'SubjectAccessReview', status: { allowed: true } }],
    ['another kind', { apiVersion: `${GROUP}/v1beta1`, kind: 'TokenReview', status: { allowed: true } }],
    ['no JSON', 'allowed'],
    ['nothing', ''],
    ['null', null],
  ])('to answer with more than %s allows nothing', async (_, body) => {
    service.answer = () => ({ body });
    expect((await asAlice(newPath())).status).toBe(500);
    expect(asked().length).toBe(1);
  });

  it('to make up its mind allows nothing', async () => {
    answerWith({ allowed: true, denied: true });
    const { status, body } = await asAlice(newPath());
    expect([status, body.message]).toEqual([500, expect.stringContaining('both allow and deny')]);
    answerWith({ allowed: 'true' });
    expect((await asAlice(newPath())).status).toBe(403);
  });

  it('shows in reviews, and does not fail them', async () => {
    service.answer = () => ({ status: 400, body: {} });
    const review = async (plural: string, spec: object) =>
      (await plane.admin.request('POST', `/apis/${GROUP}/v1/${plural}`, { spec })).body.status;
    const resourceAttributes = { verb: 'get', resource: 'secrets', name: `s${count++}`, namespace: 'default' };
    expect(await review('subjectaccessreviews', { user: 'alice', resourceAttributes })).toEqual({
      allowed: false,
      evaluationError: 'the authorization webhook answered 400',
    });
    expect(await review('selfsubjectrulesreviews', { namespace: 'default' })).toMatchObject({
      incomplete: true,
      evaluationError: 'webhook authorizer does not support user rule resolution',
    });
  });

  it('to prove who it is leaves it unasked', async () => {
    await configure('strange.conf', service.url, trusting(new TestAuthority('x')));
    const clock = new ShiftableRuntime();
    const authorizationWebhookConfigFile = join(directory, 'strange.conf');
    const server = await start({ runtime: clock, authorizationWebhookConfigFile });
    onTestFinished(() => hurried(server.close(), clock));
    const { status, body } = await hurried(asAlice(newPath(), server), clock);
    expect([status, body.message]).toEqual([500, expect.stringContaining('could not be reached')]);
    expect(body.message).not.toMatch(/127\.0\.0\.1|certificate/);
    expect(asked().length).toBe(0);
  });
});
