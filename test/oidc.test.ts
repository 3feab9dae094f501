import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Runtime, systemRuntime } from '../src/runtime/runtime.ts';
import type { StartOptions } from '../src/server/server.ts';
import { TestAuthority } from './support/certificates.ts';
import { http1Client, withToken } from './support/client.ts';
import { RemoteService } from './support/remote-service.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';
import { letGroupAsk, type Whoami, whoami } from './support/who-am-i.ts';

const authority = new TestAuthority('provider');
const runtime = new ShiftableRuntime();
/** By which tokens are made: that of the server they are for. */
let clock: Runtime = runtime;
const newKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const keys = newKeys();

let directory: string;
let provider: RemoteService;
let options: StartOptions;
let plane: TestServer;

/** What the provider publishes. */
let published: object[];

beforeAll(async () => {
  directory = await makeDirectory();
  provider = await RemoteService.open(authority);
  const oidcCaFile = join(directory, 'provider.crt');
  await writeFile(oidcCaFile, authority.pem);
  options = {
    runtime,
    oidcCaFile,
    oidcIssuerUrl: provider.url,
    oidcClientId: 'platform',
    oidcGroupsClaim: 'groups',
    oidcGroupsPrefix: 'oidc:',
  };
  plane = await start({});
});

afterAll(async () => {
  await plane.close();
  await provider.close();
  await removeDirectory(directory);
});

beforeEach(async () => {
  published = [{ ...(await exportJWK(keys.publicKey)), kid: 'one', use: 'sig', alg: 'RS256' }];
  provider.answer = ({ path }) =>
    path === '/keys'
      ? { body: { keys: published } }
      : { body: { issuer: provider.url, jwks_uri: `${provider.url}/keys` } };
  // Long enough for keys to be asked for again.
  runtime.advance(11_000);
});

async function start(changes: StartOptions): Promise<TestServer> {
  const server = await startTestServer({ ...options, ...changes });
  await letGroupAsk(server.admin, 'system:authenticated');
  return server;
}

/** A server of this test alone, in a time of its own. */
async function startFresh(changes: StartOptions): Promise<TestServer> {
  const server = await start({ ...changes, runtime: systemRuntime });
  clock = systemRuntime;
  onTestFinished(() => {
    clock = runtime;
    return server.close();
  });
  return server;
}

const seconds = (): number => Math.floor(clock.now() / 1000);

function idToken(
  claims: Record<string, unknown> = {},
  key = keys.privateKey,
  kid = 'one',
  alg = 'RS256',
): Promise<string> {
  const now = seconds();
  const usual = { iss: provider.url, aud: 'platform', sub: 'jane', iat: now, exp: now + 600 };
  return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg, kid }).sign(key);
}

async function userOf(token: string, server = plane): Promise<Whoami | number> {
  const client = http1Client(withToken(server.connection, token));
  onTestFinished(() => client.close());
  return whoami(client);
}

describe('an id token', () => {
  it('names the user and their groups, apart from those of other methods', async () => {
    expect(await userOf(await idToken({ groups: ['dev', 'system:masters'] }))).toEqual({
      username: `${provider.url}#jane`,
      groups: ['oidc:dev', 'oidc:system:masters', 'system:authenticated'],
    });
    expect(await userOf(await idToken({ groups: 'dev' }))).toMatchObject({
      groups: ['oidc:dev', 'system:authenticated'],
    });
    const review = await plane.admin.request('POST', '/apis/authentication.platform.io/v1/tokenreviews', {
      spec: { token: await idToken() },
    });
    expect(review.body.status).toMatchObject({ authenticated: true, audiences: ['https://platform.default.svc'] });
  });

  const wrong: [string, Record<string, unknown>][] = [
    ['of another issuer', { iss: 'https://127.0.0.1' }],
    ['for someone else', { aud: 'other' }],
    ['for nobody', { aud: [] }],
    ['that has run out', { exp: 1 }],
    ['that never runs out', { exp: undefined }],
    ['that is not good yet', { nbf: 4_000_000_000 }],
    ['of the future', { iat: 4_000_000_000 }],
    ['without a user', { sub: '' }],
    ['with groups that are no names', { groups: [1] }],
    ['with groups that are no list', { groups: { dev: true } }],
  ];
  it.each(wrong)('%s is refused', async (_, claims) => {
    expect(await userOf(await idToken(claims))).toBe(401);
  });

  it('runs out', async () => {
    const token = await idToken();
    expect(await userOf(token)).toMatchObject({ username: `${provider.url}#jane` });
    runtime.advance(601_000);
    expect(await userOf(token)).toBe(401);
  });

  it('must be signed by the provider, in a way that was agreed on', async () => {
    const stranger = newKeys().privateKey;
    const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    published.push({ ...(await exportJWK(elliptic.publicKey)), kid: 'curve', use: 'sig' });
    published.push({ ...(await exportJWK(stranger)), kid: 'not for signatures', use: 'enc' });
    expect(await userOf(await idToken({}, stranger))).toBe(401);
    expect(await userOf(await idToken({}, stranger, 'not for signatures'))).toBe(401);
    expect(await userOf(await idToken({}, elliptic.privateKey, 'curve', 'ES256'))).toBe(401);
    expect(await userOf(await idToken({}, keys.privateKey, 'one', 'RS512'))).toBe(401);
    const [, claims = ''] = (await idToken()).split('.');
    expect(await userOf(`${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`)).toBe(401);
  });
});

describe('the keys of a provider', () => {
  it('are asked for again when a token needs one, but not for every token that someone makes up', async () => {
    const next = newKeys();
    published = [{ ...(await exportJWK(next.publicKey)), kid: 'two' }];
    expect(await userOf(await idToken({}, next.privateKey, 'two'))).toMatchObject({ username: `${provider.url}#jane` });
    const before = provider.received.length;
    for (let at = 0; at < 5; at++) expect(await userOf(await idToken({}, keys.privateKey, `made-up-${at}`))).toBe(401);
    expect(provider.received.length).toBe(before);
  });

  it('that are withdrawn are believed in for an hour at most', async () => {
    const token = await idToken({ exp: seconds() + 10_000 });
    expect(await userOf(token)).toMatchObject({ username: `${provider.url}#jane` });
    published = [];
    runtime.advance(3_600_000);
    expect(await userOf(token)).toBe(401);
  });

  it('of a provider that is away stay good', async () => {
    const token = await idToken({ exp: seconds() + 10_000 });
    expect(await userOf(token)).toMatchObject({ username: `${provider.url}#jane` });
    provider.answer = () => ({ status: 503, body: {} });
    runtime.advance(3_600_000);
    expect(await userOf(token)).toMatchObject({ username: `${provider.url}#jane` });
  });

  it.each([
    [
      'that calls itself something else',
      () => ({ body: { issuer: 'https://other', jwks_uri: `${provider.url}/keys` } }),
    ],
    ['whose keys travel in the open', () => ({ body: { issuer: provider.url, jwks_uri: 'http://127.0.0.1/keys' } })],
    ['that talks nonsense', () => ({ body: 'nonsense' })],
    ['that talks without end', () => ({ body: `"${'x'.repeat(2_000_000)}"` })],
  ])('are not taken from one %s', async (_, answer) => {
    const fresh = await startFresh({});
    provider.answer = answer;
    expect(await userOf(await idToken(), fresh)).toBe(401);
  });

  it('are not taken from someone whose certificate nobody vouches for', async () => {
    const trusting = await startFresh({ oidcCaFile: undefined });
    const before = provider.received.length;
    expect(await userOf(await idToken(), trusting)).toBe(401);
    expect(provider.received.length).toBe(before);
  });
});

describe('settings', () => {
  it('choose claims, prefixes and what a token must say', async () => {
    const server = await startFresh({
      oidcUsernameClaim: 'email',
      oidcGroupsPrefix: '-',
      oidcRequiredClaim: ['tenant=a=b', 'level=1'],
    });
    const good = { email: 'jane@example.com', tenant: 'a=b', level: '1' };
    expect(await userOf(await idToken(good), server)).toMatchObject({ username: 'jane@example.com' });
    expect(await userOf(await idToken({ ...good, email_verified: true }), server)).toMatchObject({
      username: 'jane@example.com',
    });
    expect(await userOf(await idToken({ ...good, email_verified: false }), server)).toBe(401);
    expect(await userOf(await idToken({ ...good, email_verified: 'true' }), server)).toBe(401);
    expect(await userOf(await idToken({ ...good, tenant: 'a' }), server)).toBe(401);
    expect(await userOf(await idToken({ ...good, level: 1 }), server)).toBe(401);
    expect(await userOf(await idToken({ ...good, email: undefined }), server)).toBe(401);
  });

  it('without prefixes still leave the names of the server to itself', async () => {
    const server = await startFresh({ oidcUsernamePrefix: '-', oidcGroupsPrefix: undefined });
    expect(await userOf(await idToken({ groups: ['dev', 'system:masters'] }), server)).toEqual({
      username: 'jane',
      groups: ['dev', 'system:authenticated'],
    });
    expect(await userOf(await idToken({ sub: 'system:admin' }), server)).toBe(401);
  });

  it.each([
    [{ oidcClientId: undefined }, '--oidc-issuer-url and --oidc-client-id'],
    [{ oidcIssuerUrl: 'http://127.0.0.1' }, '--oidc-issuer-url must be an https URL'],
    [{ oidcIssuerUrl: 'https://127.0.0.1/?x' }, '--oidc-issuer-url must be an https URL'],
    [{ oidcIssuerUrl: 'nonsense' }, '--oidc-issuer-url must be an https URL'],
    [{ oidcRequiredClaim: ['x'] }, '--oidc-required-claim must be CLAIM=VALUE'],
    [{ oidcSigningAlgs: ['HS256'] }, '--oidc-signing-algs'],
    [{ oidcSigningAlgs: ['none'] }, '--oidc-signing-algs'],
    [{ oidcCaFile: '/nowhere' }, '--oidc-ca-file'],
  ] satisfies [StartOptions, string][])('%j keep the server from starting', async (changes, message) => {
    await expect(startTestServer({ ...options, ...changes })).rejects.toThrow(message);
  });
});
