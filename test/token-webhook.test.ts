import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { StartOptions } from '../src/server/server.ts';
import { TestAuthority } from './support/certificates.ts';
import { http1Client, withToken } from './support/client.ts';
import { remoteConfiguration, trusting } from './support/remote-configuration.ts';
import { RemoteService } from './support/remote-service.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';
import { letGroupAsk, type Whoami, whoami } from './support/who-am-i.ts';

const authority = new TestAuthority('webhook');
const runtime = new ShiftableRuntime();

let directory: string;
let service: RemoteService;
let plane: TestServer;
let file: string;

const configuration = (server: string, changes: object = {}): string => remoteConfiguration(authority, server, changes);

beforeAll(async () => {
  directory = await makeDirectory();
  service = await RemoteService.open(authority);
  file = join(directory, 'webhook.conf');
  await writeFile(file, configuration(`${service.url}/authenticate?x=1`));
  plane = await start({});
});

afterAll(async () => {
  await plane.close();
  await service.close();
  await removeDirectory(directory);
});

async function start(changes: StartOptions): Promise<TestServer> {
  const server = await startTestServer({ runtime, authenticationTokenWebhookConfigFile: file, ...changes });
  await letGroupAsk(server.admin, 'system:authenticated');
  return server;
}

const GROUP = 'authentication.platform.io';

/** Answers with this status, in the version that was asked. */
const answerWith = (status: unknown): void => {
  service.answer = ({ body }) => ({ body: { ...JSON.parse(body), status } });
};

let count = 0;
const newToken = (): string => `token-${count++}`;

beforeEach(() => {
  service.received.length = 0;
  answerWith({ authenticated: true, user: { username: 'jane' } });
});

async function userOf(token: string, server = plane): Promise<Whoami | number> {
  const client = http1Client(withToken(server.connection, token));
  onTestFinished(() => client.close());
  return whoami(client);
}

/** Lets the time pass that the server spends waiting. */
async function hurried<T>(answer: Promise<T>): Promise<T> {
  const hurry = setInterval(() => runtime.advance(500), 20);
  return answer.finally(() => clearInterval(hurry));
}

describe('a token that nobody here knows', () => {
  it('is shown to the service, which says whose it is', async () => {
    const user = { username: 'jane', uid: '42', groups: ['dev', 'ops'], extra: { scopes: ['a', 'b'] } };
    answerWith({ authenticated: true, user });
    const token = newToken();
    expect(await userOf(token)).toEqual({ ...user, groups: ['dev', 'ops', 'system:authenticated'] });
    expect(service.received).toMatchObject([{ method: 'POST', path: '/authenticate?x=1', client: 'the-server' }]);
    expect(JSON.parse(service.received[0]?.body ?? '')).toEqual({
      apiVersion: `${GROUP}/v1beta1`,
      kind: 'TokenReview',
      metadata: {},
      spec: { token, audiences: ['https://platform.default.svc'] },
    });
  });

  it.each([
    ['is not vouched for', { authenticated: false, user: { username: 'jane' } }],
    ['is vouched for in other words', { authenticated: 'true', user: { username: 'jane' } }],
    ['is vouched for without a name', { authenticated: true, user: { groups: ['system:masters'] } }],
    [
      'is vouched for before another audience',
      { authenticated: true, user: { username: 'jane' }, audiences: ['vault'] },
    ],
    ['is not mentioned in the answer', undefined],
  ])('is refused when it %s', async (_, status) => {
    answerWith(status);
    expect(await userOf(newToken())).toBe(401);
  });

  it('is reviewed for the audiences asked about', async () => {
    answerWith({ authenticated: true, user: { username: 'jane' }, audiences: ['vault', 'bank'] });
    const { body } = await plane.admin.request('POST', `/apis/${GROUP}/v1/tokenreviews`, {
      spec: { token: newToken(), audiences: ['bank', 'other'] },
    });
    expect(body.status).toMatchObject({ authenticated: true, audiences: ['bank'], user: { username: 'jane' } });
    expect(JSON.parse(service.received[0]?.body ?? '').spec.audiences).toEqual(['bank', 'other']);
  });
});

describe('an answer', () => {
  it('is remembered for a while, good or bad, and for that token alone', async () => {
    const good = newToken();
    for (let at = 0; at < 3; at++) expect(await userOf(good)).toMatchObject({ username: 'jane' });
    expect(service.received.length).toBe(1);
    answerWith({ authenticated: false });
    const bad = newToken();
    for (let at = 0; at < 3; at++) expect(await userOf(bad)).toBe(401);
    expect(service.received.length).toBe(2);
    expect(await userOf(good)).toMatchObject({ username: 'jane' });
    runtime.advance(120_000);
    expect(await userOf(good)).toBe(401);
  });

  it('is waited for by everyone who wants the same', async () => {
    const token = newToken();
    const found = await Promise.all(Array.from({ length: 8 }, () => userOf(token)));
    expect(found).toEqual(Array(8).fill(expect.objectContaining({ username: 'jane' })));
    expect(service.received.length).toBe(1);
  });

  it('of another version, or of another sort, is none', async () => {
    const answers = [
      { apiVersion: `${GROUP}/v1`, kind: 'TokenReview' },
      { apiVersion: `${GROUP}/v1beta1`, kind: 'SubjectAccessReview' },
    ];
    for (const answer of answers) {
      service.answer = () => ({ body: { ...answer, status: { authenticated: true, user: { username: 'jane' } } } });
      expect(await userOf(newToken())).toBe(401);
    }
    service.answer = () => ({ body: 'nonsense' });
    expect(await userOf(newToken())).toBe(401);
    expect(service.received.length).toBe(3);
  });

  it('is asked for again when the service failed, and a failure is not remembered', async () => {
    const token = newToken();
    const failing = { count: 0 };
    service.answer = ({ body }) => {
      return failing.count++ < 2
        ? { status: 503, body: {} }
        : { body: { ...JSON.parse(body), status: { authenticated: true, user: { username: 'jane' } } } };
    };
    expect(await hurried(userOf(token))).toMatchObject({ username: 'jane' });
    expect(service.received.length).toBe(3);
    service.answer = () => ({ status: 403, body: {} });
    const other = newToken();
    expect(await userOf(other)).toBe(401);
    answerWith({ authenticated: true, user: { username: 'jane' } });
    expect(await userOf(other)).toMatchObject({ username: 'jane' });
  });
});

describe('settings of the webhook', () => {
  it('choose the version that is spoken', async () => {
    const server = await start({ authenticationTokenWebhookVersion: 'v1' });
    onTestFinished(() => server.close());
    expect(await userOf(newToken(), server)).toMatchObject({ username: 'jane' });
    expect(JSON.parse(service.received[0]?.body ?? '').apiVersion).toBe(`${GROUP}/v1`);
  });

  it('do not let tokens travel in the open, nor to a stranger', async () => {
    const open = join(directory, 'open.conf');
    await writeFile(open, configuration('http://example.com/authenticate'));
    await expect(start({ authenticationTokenWebhookConfigFile: open })).rejects.toThrow('only https is private enough');
    const strange = join(directory, 'strange.conf');
    await writeFile(strange, configuration(service.url, trusting(new TestAuthority('x'))));
    const server = await start({ authenticationTokenWebhookConfigFile: strange });
    onTestFinished(() => server.close());
    expect(await hurried(userOf(newToken(), server))).toBe(401);
    expect(service.received.length).toBe(0);
  });

  it('that cannot be read keep the server from starting', async () => {
    await expect(start({ authenticationTokenWebhookConfigFile: join(directory, 'none') })).rejects.toThrow('none');
  });
});
