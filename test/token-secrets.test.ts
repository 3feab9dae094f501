import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from './support/audit.ts';
import { type Answer, type Document, http1Client, withToken } from './support/client.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';
import { letGroupAsk, whoami } from './support/who-am-i.ts';

const NAMESPACE = '/api/v1/namespaces/default';
const ACCOUNT = 'platform.io/service-account.name';
const UID = 'platform.io/service-account.uid';

let plane: TestServer;
beforeAll(async () => {
  plane = await startTestServer();
  await letGroupAsk(plane.admin, 'system:authenticated');
});
afterAll(() => plane.close());

const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
  plane.admin.request(method, `${NAMESPACE}/${path}`, body);

beforeEach(async () => {
  await send('POST', 'serviceaccounts', { metadata: { name: 'robot' } });
  return async () => {
    await send('DELETE', 'serviceaccounts/robot');
    await send('DELETE', 'secrets/token');
    await eventually(async () => ((await send('GET', 'secrets/token')).status === 404 ? true : undefined));
  };
});

const makeSecret = (annotations: Record<string, string>, data = {}): Promise<Answer> =>
  send('POST', 'secrets', {
    metadata: { name: 'token', annotations },
    type: 'platform.io/service-account-token',
    data,
  });

const filled = (): Promise<Document> =>
  eventually(async () => {
    const { body } = await send('GET', 'secrets/token');
    return body.data?.namespace ? body : undefined;
  });
const gone = (): Promise<boolean> =>
  eventually(async () => ((await send('GET', 'secrets/token')).status === 404 ? true : undefined));
const text = (encoded = ''): string => Buffer.from(encoded, 'base64').toString();

async function userOf(token: string) {
  const client = http1Client(withToken(plane.connection, token));
  onTestFinished(() => client.close());
  return whoami(client);
}

describe('a secret for the token of an account', () => {
  it('is filled in with one that works, and how to reach the server safely', async () => {
    await makeSecret({ [ACCOUNT]: 'robot' });
    const { data = {}, metadata } = await filled();
    expect(text(data.namespace)).toBe('default');
    expect(text(data['ca.crt'])).toBe(plane.connection.ca);
    expect(metadata.annotations?.[UID]).toBe((await send('GET', 'serviceaccounts/robot')).body.metadata.uid);
    expect(await userOf(text(data.token))).toMatchObject({ username: 'system:serviceaccount:default:robot' });
  });

  it('gets back what was taken from it, but keeps a token that it has', async () => {
    await makeSecret({ [ACCOUNT]: 'robot' });
    const { data: before = {} } = await filled();
    await send('PATCH', 'secrets/token', { data: { namespace: null, 'ca.crt': 'AAAA' } });
    const { data: after } = await filled();
    expect(after).toEqual(before);
  });

  it('goes with its account, and its token with it', async () => {
    await makeSecret({ [ACCOUNT]: 'robot' });
    const { data = {} } = await filled();
    await send('DELETE', 'serviceaccounts/robot');
    await gone();
    expect(await userOf(text(data.token))).toBe(401);
  });

  it('is removed when there is no such account, or another one by now', async () => {
    await makeSecret({ [ACCOUNT]: 'nobody' });
    await gone();
    await makeSecret({ [ACCOUNT]: 'robot', [UID]: 'that-of-an-earlier-one' });
    await gone();
  });

  it('is no longer named by the account once it is gone', async () => {
    await makeSecret({ [ACCOUNT]: 'robot' });
    await filled();
    await send('PATCH', 'serviceaccounts/robot', { secrets: [{ name: 'token' }, { name: 'other' }] });
    await send('DELETE', 'secrets/token');
    await eventually(async () => {
      const { secrets } = (await send('GET', 'serviceaccounts/robot')).body as Document & { secrets?: object[] };
      return secrets?.length === 1 ? true : undefined;
    });
  });

  it('of another type is left alone', async () => {
    const metadata = { name: 'plain', annotations: { [ACCOUNT]: 'nobody', note: 'platform.io/service-account-token' } };
    await send('POST', 'secrets', { metadata, stringData: { a: 'b' } });
    await makeSecret({ [ACCOUNT]: 'robot' });
    await filled();
    expect((await send('GET', 'secrets/plain')).body.data).toEqual({ a: 'Yg==' });
  });
});
