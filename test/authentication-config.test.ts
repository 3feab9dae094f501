import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportJWK, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { StartOptions } from '../src/server/server.ts';
import { eventually } from './support/audit.ts';
import { TestAuthority } from './support/certificates.ts';
import { asNobody, http1Client, withToken } from './support/client.ts';
import { RemoteService } from './support/remote-service.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';
import { letGroupAsk, type Whoami, whoami } from './support/who-am-i.ts';

const authority = new TestAuthority('issuers');
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Two issuers that share a key: only what they call themselves tells them apart. */
let one: RemoteService;
let two: RemoteService;
const planes: TestServer[] = [];

beforeAll(async () => {
  const published = { ...(await exportJWK(keys.publicKey)), kid: 'k', use: 'sig' };
  [one, two] = [await RemoteService.open(authority), await RemoteService.open(authority)];
  for (const issuer of [one, two]) {
    issuer.answer = ({ path }) =>
      path === '/keys'
        ? { body: { keys: [published] } }
        : { body: { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` } };
  }
});

afterEach(async () => {
  await Promise.all(planes.splice(0).map((plane) => plane.close()));
});

afterAll(() => Promise.all([one.close(), two.close()]));

const username = { claim: 'sub', prefix: '' };
const jwtOf = (issuer: RemoteService, entry: object = {}, changes: object = {}) => ({
  issuer: { url: issuer.url, certificateAuthority: authority.pem, audiences: ['platform'], ...changes },
  claimMappings: { username },
  ...entry,
});

const configuration = (jwt: readonly object[], more: object = {}, version = 'v1'): string =>
  JSON.stringify({
    apiVersion: `apiserver.config.platform.io/${version}`,
    kind: 'AuthenticationConfiguration',
    jwt,
    ...more,
  });

interface Started extends TestServer {
  readonly file: string;
  readonly runtime: ShiftableRuntime;
  readonly told: string[];
}

async function start(text: string, options: StartOptions = {}): Promise<Started> {
  const file = join(await temporaryDirectory(), 'authentication.yaml');
  await writeFile(file, text);
  const runtime = new ShiftableRuntime();
  const told: string[] = [];
  const note = (fields: object, message: string) => void told.push(`${message} ${JSON.stringify(fields)}`);
  const logger = { info: note, warn: note, error: note, informs: true };
  const plane = await startTestServer({ authenticationConfig: file, runtime, logger, ...options });
  planes.push(plane);
  await letGroupAsk(plane.admin, 'system:authenticated');
  return { ...plane, file, runtime, told };
}

function tokenOf(issuer: RemoteService, claims: Record<string, unknown> = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const usual = { iss: issuer.url, aud: 'platform', sub: 'jane', iat: now, exp: now + 100_000 };
  return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg: 'RS256', kid: 'k' }).sign(keys.privateKey);
}

async function userOf(plane: TestServer, token: string): Promise<Whoami | number> {
  const client = http1Client(withToken(plane.connection, token));
  onTestFinished(() => client.close());
  return whoami(client);
}

/** Writes the file anew and waits until the server has said something about it. */
async function rewrite({ file, runtime, told }: Started, text: string, message: string): Promise<void> {
  await writeFile(file, text);
  await eventually(() => {
    runtime.advance(5_000);
    return told.some((line) => line.startsWith(message)) || undefined;
  });
}

describe('issuers of a file', () => {
  it('each have audiences and mappings of their own', async () => {
    const plane = await start(
      configuration([
        jwtOf(one, {}, { audiences: ['platform', 'other'], audienceMatchPolicy: 'MatchAny' }),
        jwtOf(two, {
          claimMappings: {
            username: { expression: '"two:" + claims.sub' },
            groups: { expression: 'claims.roles.split(",")' },
            uid: { claim: 'id' },
            extra: [
              { key: 'example.com/level', valueExpression: 'string(claims.level)' },
              { key: 'example.com/none', valueExpression: '""' },
            ],
          },
        }),
      ]),
    );
    expect(await userOf(plane, await tokenOf(one, { aud: ['x', 'other'] }))).toEqual({
      username: 'jane',
      groups: ['system:authenticated'],
    });
    const claims = { roles: 'dev,ops,system:masters', id: 'u-1', level: 7 };
    expect(await userOf(plane, await tokenOf(two, claims))).toEqual({
      username: 'two:jane',
      uid: 'u-1',
      groups: ['dev', 'ops', 'system:authenticated'],
      extra: { 'example.com/level': ['7'] },
    });
    expect(await userOf(plane, await tokenOf(one, { aud: 'x' }))).toBe(401);
    expect(await userOf(plane, await tokenOf(two, { ...claims, aud: 'other' }))).toBe(401);
    // An expression that has no value for a token refuses it.
    expect(await userOf(plane, await tokenOf(two, { ...claims, roles: 7 }))).toBe(401);
    expect(plane.told.some((line) => line.startsWith('a token is not accepted'))).toBe(true);
  });

  it('are held to the rules about claims and users', async () => {
    const plane = await start(
      configuration([
        jwtOf(one, {
          claimValidationRules: [
            { claim: 'tenant', requiredValue: 'a' },
            { expression: 'claims.exp - claims.iat <= 200000', message: 'too long' },
          ],
          userValidationRules: [{ expression: "!user.username.startsWith('root') && size(user.groups) == 0" }],
        }),
      ]),
    );
    expect(await userOf(plane, await tokenOf(one, { tenant: 'a' }))).toMatchObject({ username: 'jane' });
    expect(await userOf(plane, await tokenOf(one, { tenant: 'b' }))).toBe(401);
    expect(await userOf(plane, await tokenOf(one))).toBe(401);
    expect(await userOf(plane, await tokenOf(one, { tenant: 'a', sub: 'root-1' }))).toBe(401);
    expect(await userOf(plane, await tokenOf(one, { tenant: 'a', exp: 4_000_000_000 }))).toBe(401);
    expect(plane.told.some((line) => line.includes('too long'))).toBe(true);
    expect(await userOf(plane, await tokenOf(one, { tenant: 'a', sub: 'system:admin' }))).toBe(401);
  });

  it('may have their discovery document elsewhere, and are known by what they call themselves', async () => {
    const elsewhere = jwtOf(two, {}, { discoveryURL: `${one.url}/.well-known/openid-configuration` });
    const answer = one.answer;
    onTestFinished(() => {
      one.answer = answer;
    });
    const plane = await start(configuration([elsewhere]));
    // It calls itself something else.
    expect(await userOf(plane, await tokenOf(two))).toBe(401);
    one.answer = (request) =>
      request.path === '/keys' ? answer(request) : { body: { issuer: two.url, jwks_uri: `${one.url}/keys` } };
    plane.runtime.advance(11_000);
    expect(await userOf(plane, await tokenOf(two))).toMatchObject({ username: 'jane' });
  });

  it('name nobody by an address that is not theirs', async () => {
    const plane = await start(
      configuration([jwtOf(one, { claimMappings: { username: { claim: 'email', prefix: '' } } })]),
    );
    const email = 'jane@example.com';
    expect(await userOf(plane, await tokenOf(one, { email, email_verified: true }))).toMatchObject({ username: email });
    expect(await userOf(plane, await tokenOf(one, { email, email_verified: false }))).toBe(401);
  });
});

describe('a file that changes', () => {
  it('counts for the next request, and what was known of issuers that are gone is forgotten', async () => {
    const plane = await start(configuration([jwtOf(one)]));
    const [first, second] = [await tokenOf(one), await tokenOf(two)];
    expect(await userOf(plane, first)).toMatchObject({ username: 'jane' });
    expect(await userOf(plane, second)).toBe(401);
    await rewrite(plane, configuration([jwtOf(two)]), 'the authentication configuration was read again');
    expect(await userOf(plane, first)).toBe(401);
    expect(await userOf(plane, second)).toMatchObject({ username: 'jane' });
    const { text } = await plane.admin.request('GET', '/metrics');
    expect(text).toMatch(/^apiserver_authentication_config_controller_automatic_reloads_total\{status="success"\} 1$/m);
    expect(text).toMatch(/_automatic_reload_last_timestamp_seconds\{status="success"\} 1\d{9}/);
  });

  it('and makes no sense is told of, counted, and the former one stays', async () => {
    const plane = await start(configuration([jwtOf(one)]));
    await rewrite(plane, 'jwt: 7', 'the authentication configuration cannot be used; the former one stays');
    expect(await userOf(plane, await tokenOf(one))).toMatchObject({ username: 'jane' });
    const { text } = await plane.admin.request('GET', '/metrics');
    expect(text).toMatch(/^apiserver_authentication_config_controller_automatic_reloads_total\{status="failure"\} 1$/m);
  });

  it('leaves the keys of an issuer that stays', async () => {
    const plane = await start(configuration([jwtOf(one)]));
    const token = await tokenOf(one);
    await userOf(plane, token);
    const asked = one.received.length;
    const changed = configuration([jwtOf(one, { claimMappings: { username: { claim: 'sub', prefix: 'now:' } } })]);
    await rewrite(plane, changed, 'the authentication configuration was read again');
    expect(await userOf(plane, token)).toMatchObject({ username: 'now:jane' });
    // The clock was put forward by less than keys are believed in.
    expect(one.received.length).toBe(asked);
  });
});

describe('requests without credentials', () => {
  const statusOf = async (plane: TestServer, path: string): Promise<number> => {
    const nobody = http1Client(asNobody(plane.connection));
    onTestFinished(() => nobody.close());
    return (await nobody.request('GET', path)).status;
  };

  it('are let in at the named paths alone', async () => {
    const anonymous = { enabled: true, conditions: [{ path: '/livez' }, { path: '/version' }] };
    const plane = await start(configuration([], { anonymous }));
    expect(await statusOf(plane, '/livez')).toBe(200);
    expect(await statusOf(plane, '/livez?verbose')).toBe(200);
    expect(await statusOf(plane, '/version')).toBe(200);
    for (const path of ['/readyz', '/livez/ping', '/livez/', '//livez', '/version/x']) {
      expect([path, await statusOf(plane, path)]).toEqual([path, 401]);
    }
  });

  it('are let in nowhere, and everywhere, as the file says from time to time', async () => {
    const plane = await start(configuration([], { anonymous: { enabled: false } }));
    expect(await statusOf(plane, '/livez')).toBe(401);
    await rewrite(plane, configuration([], { anonymous: { enabled: true } }), 'the authentication configuration was');
    expect(await statusOf(plane, '/livez')).toBe(200);
    expect(await statusOf(plane, '/api/v1/secrets')).toBe(403);
  });

  it('are let in nowhere where everything is allowed', async () => {
    const text = configuration([], { anonymous: { enabled: true } });
    const plane = await start(text, { authorizationMode: ['AlwaysAllow'] });
    expect(await statusOf(plane, '/livez')).toBe(401);
  });
});

describe('a file is refused', () => {
  const issuer = { url: 'https://a', audiences: ['x'] };
  const of = (entry: object, more: object = {}) =>
    configuration([{ issuer, claimMappings: { username }, ...entry }], more);
  const mapped = (claimMappings: object) => of({ claimMappings: { username, ...claimMappings } });
  const from = (changes: object) => of({ issuer: { ...issuer, ...changes } });

  it.each([
    ['kind: Pod', 'kind AuthenticationConfiguration of apiVersion apiserver.config.platform.io/v1 or'],
    [of({}, { more: 1 }), 'more: unknown field'],
    [of({ issuer: { ...issuer, ulr: 'x' } }), 'jwt[0].issuer.ulr: unknown field'],
    [from({ url: 'http://a' }), 'jwt[0].issuer.url: must be an https URL'],
    [from({ url: 'https://a?x' }), 'jwt[0].issuer.url: must not contain a query'],
    [from({ url: 'https://u:p@a' }), 'jwt[0].issuer.url: must not contain a username or password'],
    [from({ url: 'https://platform.default.svc' }), 'jwt[0].issuer.url: is that of this server itself'],
    [from({ discoveryURL: 'https://a' }), 'jwt[0].issuer.discoveryURL: must be different from url'],
    [from({ audiences: [] }), 'jwt[0].issuer.audiences: at least one is required'],
    [from({ audiences: ['a', 'b'] }), 'audienceMatchPolicy: must be MatchAny for multiple audiences'],
    [from({ certificateAuthority: 'x' }), 'jwt[0].issuer.certificateAuthority: it: holds no PEM certificate'],
    [configuration([of({}), of({})].map((text) => JSON.parse(text).jwt[0])), 'jwt[1].issuer.url: is there twice'],
    [of({ claimMappings: {} }), 'jwt[0].claimMappings.username: required'],
    [of({ claimMappings: { username: {} } }), 'jwt[0].claimMappings.username: either claim or expression is required'],
    [of({ claimMappings: { username: { claim: 'sub' } } }), 'jwt[0].claimMappings.username.prefix: is required when'],
    [mapped({ groups: { claim: 'a', prefix: '', expression: 'b' } }), "groups: claim and expression can't both be set"],
    [
      mapped({ uid: { expression: 'claims.' } }),
      'jwt[0].claimMappings.uid.expression: compilation failed: ERROR: <input>:1:',
    ],
    [mapped({ uid: { expression: '1' } }), 'jwt[0].claimMappings.uid.expression: must evaluate to string, not int'],
    [mapped({ uid: { expression: 'user.uid' } }), 'undeclared reference'],
    [mapped({ extra: [{ key: 'level', valueExpression: '""' }] }), 'extra[0].key: must be a domain in lower case'],
    [of({ claimValidationRules: [{ claim: 'a', message: 'x' }] }), "claimValidationRules[0].message: can't be set"],
    [
      of({ userValidationRules: [{ expression: 'user.name == ""' }] }),
      'userValidationRules[0].expression: compilation',
    ],
    [of({ claimMappings: { username: { expression: 'claims.email' } } }), 'claims.email_verified must be used in'],
    [of({ claimMappings: { username: { expression: 'claims["email"]' } } }), 'claims.email_verified must be used in'],
    [of({}, { anonymous: { enabled: false, conditions: [{ path: '/' }] } }), 'anonymous.conditions: enabled should be'],
    [configuration(Array.from({ length: 65 }, () => ({}))), 'jwt: must have at most 64 items'],
    [`# ${'x'.repeat(2 ** 20)}`, 'the document is longer than 1048576 characters'],
    [`a: ${'['.repeat(40)}${']'.repeat(40)}`, 'nests deeper than 32 levels'],
  ])('%#: that says %s', async (text, message) => {
    const file = join(await temporaryDirectory(), 'authentication.yaml');
    await writeFile(file, text);
    const starting = startTestServer({ authenticationConfig: file });
    await expect(starting).rejects.toThrow(`--authentication-config ${file}: `);
    await expect(starting).rejects.toThrow(message);
  });

  it('together with the flags that it takes the place of', async () => {
    const options = { authenticationConfig: '/nowhere', oidcIssuerUrl: 'https://a', oidcClientId: 'x' };
    const both = '--authentication-config takes the place of --oidc-issuer-url: give one of them';
    await expect(startTestServer(options)).rejects.toThrow(both);
    const file = join(await temporaryDirectory(), 'authentication.yaml');
    await writeFile(file, configuration([], { anonymous: { enabled: true } }));
    const refused = 'anonymous: takes the place of --anonymous-auth';
    await expect(startTestServer({ authenticationConfig: file, anonymousAuth: false })).rejects.toThrow(refused);
  });

  it.each(['v1alpha1', 'v1beta1', 'v1'])('but not for being of %s', async (version) => {
    const plane = await start(configuration([jwtOf(one)], {}, version));
    expect(await userOf(plane, await tokenOf(one))).toMatchObject({ username: 'jane' });
  });
});
