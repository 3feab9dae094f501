import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLocalJWKSet, jwtVerify, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { StartOptions } from '../src/server/server.ts';
import { type Client, http1Client, withToken } from './support/client.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';
import { letGroupAsk, type Whoami, whoami } from './support/who-am-i.ts';

const ISSUER = 'https://platform.default.svc';
const runtime = new ShiftableRuntime();
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

let directory: string;
let plane: TestServer;

beforeAll(async () => {
  directory = await makeDirectory();
  plane = await started({ runtime, serviceAccountKeyFile: [await keyFile('older.pub', rsa.publicKey)] });
});

afterAll(async () => {
  await plane.close();
  await removeDirectory(directory);
});

async function started(options: StartOptions): Promise<TestServer> {
  const server = await startTestServer(options);
  await letGroupAsk(server.admin, 'system:authenticated');
  return server;
}

async function keyFile(name: string, key: KeyObject): Promise<string> {
  const type = key.type === 'private' ? ('pkcs8' as const) : ('spki' as const);
  const file = join(directory, name);
  await writeFile(file, key.export({ format: 'pem', type }));
  return file;
}

const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const REVIEWS = '/apis/authentication.platform.io/v1/tokenreviews';
const ROBOT = 'system:serviceaccount:default:robot';

let uid: string;
beforeEach(async () => {
  uid = await createAccount();
});
afterEach(async () => {
  await plane.admin.request('DELETE', `${ACCOUNTS}/robot`);
});

async function createAccount(server = plane): Promise<string> {
  return (await server.admin.request('POST', ACCOUNTS, { metadata: { name: 'robot' } })).body.metadata.uid;
}

async function request(spec: object = {}, server = plane): Promise<string> {
  const { status, body, text } = await server.admin.request('POST', `${ACCOUNTS}/robot/token`, { spec });
  expect(status, text).toBe(201);
  return (body.status as { token: string }).token;
}

async function userOf(token: string, server = plane): Promise<Whoami | number> {
  const client: Client = http1Client(withToken(server.connection, token));
  onTestFinished(() => client.close());
  return whoami(client);
}

describe('a requested token', () => {
  it('makes its bearer the account, until the account goes', async () => {
    const token = await request();
    expect(await userOf(token)).toEqual({
      username: ROBOT,
      uid,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
    });
    await plane.admin.request('DELETE', `${ACCOUNTS}/robot`);
    expect(await userOf(token)).toBe(401);
    await createAccount();
    expect(await userOf(token)).toBe(401);
    expect(await userOf(await request())).toMatchObject({ username: ROBOT });
  });

  it('runs out', async () => {
    const token = await request({ expirationSeconds: 600 });
    expect(await userOf(token)).toMatchObject({ username: ROBOT });
    runtime.advance(601_000);
    expect(await userOf(token)).toBe(401);
  });

  it('for another server is of no use here', async () => {
    const token = await request({ audiences: ['vault'] });
    expect(await userOf(token)).toBe(401);
    const review = async (audiences?: string[]): Promise<unknown> =>
      (await plane.admin.request('POST', REVIEWS, { spec: { token, audiences } })).body.status;
    expect(await review(['bank', 'vault'])).toMatchObject({
      authenticated: true,
      audiences: ['vault'],
      user: { username: ROBOT },
    });
    expect(await review(['bank'])).toEqual({ user: {}, error: expect.any(String) });
    expect(await review()).toEqual({ user: {}, error: expect.any(String) });
  });

  it('goes with the secret it is bound to', async () => {
    const secrets = '/api/v1/namespaces/default/secrets';
    const { body } = await plane.admin.request('POST', secrets, { metadata: { name: 'bound' } });
    const reference = { apiVersion: 'v1', kind: 'Secret', name: 'bound', uid: body.metadata.uid };
    const token = await request({ boundObjectRef: reference });
    expect(await userOf(token)).toMatchObject({ username: ROBOT });
    await plane.admin.request('DELETE', `${secrets}/bound`);
    expect(await userOf(token)).toBe(401);
  });

  it('cannot be altered, nor made by anyone else', async () => {
    const [header = '', claims = '', signature = ''] = (await request()).split('.');
    const altered = JSON.parse(Buffer.from(claims, 'base64url').toString());
    altered.sub = 'system:serviceaccount:platform-system:admin';
    const forged = Buffer.from(JSON.stringify(altered)).toString('base64url');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const copied = await new SignJWT(altered).setProtectedHeader({ alg: 'ES256' }).sign(stranger);
    for (const token of [`${header}.${forged}.${signature}`, `${none}.${forged}.`, `${header}.${claims}.`, copied]) {
      expect(await userOf(token)).toBe(401);
    }
  });
});

describe('a token kept in a secret', () => {
  it('is good while it is kept, whichever of the keys signed it', async () => {
    const token = await new SignJWT({
      'platform.io/serviceaccount/namespace': 'default',
      'platform.io/serviceaccount/secret.name': 'kept',
      'platform.io/serviceaccount/service-account.name': 'robot',
      'platform.io/serviceaccount/service-account.uid': uid,
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'somebody else named it' })
      .setIssuer('platform/serviceaccount')
      .setSubject(ROBOT)
      .sign(rsa.privateKey);
    expect(await userOf(token)).toBe(401);
    const secrets = '/api/v1/namespaces/default/secrets';
    const annotations = { 'platform.io/service-account.name': 'robot' };
    await plane.admin.request('POST', secrets, {
      metadata: { name: 'kept', annotations },
      type: 'platform.io/service-account-token',
      stringData: { token },
    });
    expect(await userOf(token)).toMatchObject({ username: ROBOT, uid });
    await plane.admin.request('PATCH', `${secrets}/kept`, { stringData: { token: 'another' } });
    expect(await userOf(token)).toBe(401);
    await plane.admin.request('DELETE', `${secrets}/kept`);
  });
});

describe('what others are told', () => {
  it('lets them verify tokens without asking again', async () => {
    const token = await request({ audiences: ['vault'] });
    const { body, headers } = await plane.admin.request('GET', '/.well-known/openid-configuration');
    expect(headers['content-type']).toBe('application/json');
    expect(body).toEqual({
      issuer: ISSUER,
      jwks_uri: `${plane.server.url}/openid/v1/jwks`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256', 'RS256'],
    });
    const published = await plane.admin.request('GET', '/openid/v1/jwks');
    expect(published.headers['content-type']).toBe('application/jwk-set+json');
    expect(published.text).not.toMatch(/"(d|p|q|dp|dq|qi|k)":/);
    const keys = createLocalJWKSet(JSON.parse(published.text));
    const currentDate = new Date(runtime.now());
    const { payload } = await jwtVerify(token, keys, { issuer: ISSUER, audience: 'vault', currentDate });
    expect(payload.sub).toBe(ROBOT);
    expect((await plane.admin.request('POST', '/openid/v1/jwks')).status).toBe(405);
  });

  it('is told to service accounts, and not to everyone', async () => {
    const robot = http1Client(withToken(plane.connection, await request()));
    onTestFinished(() => robot.close());
    expect((await robot.request('GET', '/openid/v1/jwks')).status).toBe(200);
    const anyone = await plane.server.inject({ target: '/openid/v1/jwks' });
    expect(anyone.status).toBe(403);
  });
});

describe('a server with keys and names of its own', () => {
  it('signs with the first issuer, accepts all, and answers to its audiences', async () => {
    const signing = await keyFile('signing.key', rsa.privateKey);
    const server = await started({
      serviceAccountSigningKeyFile: signing,
      serviceAccountIssuer: ['https://new.example', 'https://old.example'],
      apiAudiences: ['api', 'also'],
    });
    onTestFinished(() => server.close());
    const own = await createAccount(server);
    const token = await request({}, server);
    const { payload } = await jwtVerify(token, rsa.publicKey);
    expect(payload).toMatchObject({ iss: 'https://new.example', aud: ['api', 'also'] });
    expect(await userOf(token, server)).toMatchObject({ username: ROBOT, uid: own });
    const former = await new SignJWT({ ...payload, iss: 'https://old.example', aud: ['also'] })
      .setProtectedHeader({ alg: 'RS256' })
      .sign(rsa.privateKey);
    expect(await userOf(former, server)).toMatchObject({ username: ROBOT });
    expect(await userOf(token, plane)).toBe(401);
  });

  it('that cannot be used does not start, and says why without showing a key', async () => {
    const start = async (options: StartOptions): Promise<string> =>
      startTestServer(options).then(
        () => 'started',
        (error: Error) => error.message,
      );
    const weak = await keyFile('weak.key', generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey);
    const publicOnly = await keyFile('public.key', rsa.publicKey);
    expect(await start({ serviceAccountSigningKeyFile: weak })).toBe(
      `${weak}: tokens can be signed with RSA keys from 2048 bits on and keys on P-256, P-384 or P-521`,
    );
    expect(await start({ serviceAccountSigningKeyFile: publicOnly })).toContain(
      `${publicOnly}: holds no usable private key`,
    );
    expect(await start({ serviceAccountKeyFile: [join(directory, 'missing')] })).toContain('cannot read');
    expect(await start({ serviceAccountIssuer: ['ht tp://x'] })).toContain('--service-account-issuer');
  });
});
