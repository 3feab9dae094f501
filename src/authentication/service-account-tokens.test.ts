import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Secret } from '../kinds/core/config/secret.ts';
import type { ObjectReader } from '../registry/objects.ts';
import type { ApiObject } from '../registry/resource-type.ts';
import { systemRuntime } from '../runtime/runtime.ts';
import { vocabularies } from '../vocabulary/vocabulary.ts';
import { type Claims, signToken } from './jwt.ts';
import { boundClaims } from './service-account-claims.ts';
import { ServiceAccountSigner } from './service-account-signer.ts';
import { type ServiceAccountTokenOptions, ServiceAccountTokens } from './service-account-tokens.ts';
import { publicHalf, tokenKey } from './token-keys.ts';

const vocabulary = vocabularies.platform;
const ISSUER = 'https://issuer.example';
const newKey = () => tokenKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, 'test');
const key = newKey();
const older = newKey();

let now = Date.parse('2030-01-01T00:00:00Z');
/** What is known of stored objects. */
let stored: Map<string, { readonly uid: string; readonly deletesAt: number | undefined }>;
let secret: Secret | undefined;

const runtime = { ...systemRuntime, now: () => now };
const objects: ObjectReader = {
  get<T extends ApiObject>({ plural }: { plural: string }, namespace: string, name: string) {
    const found = stored.get(`${plural}/${namespace}/${name}`);
    if (!found) return secret as unknown as T | undefined;
    const { uid, deletesAt } = found;
    const deletionTimestamp = deletesAt === undefined ? {} : { deletionTimestamp: new Date(deletesAt).toISOString() };
    return { metadata: { name, uid, ...deletionTimestamp } } as T;
  },
};

const HOUR = 3600;
const robot = { namespace: 'ns', serviceAccount: { name: 'robot', uid: 'r-1' } };

beforeEach(() => {
  now = Date.parse('2030-01-01T00:00:00Z');
  stored = new Map([['serviceaccounts/ns/robot', { uid: 'r-1', deletesAt: undefined }]]);
  secret = undefined;
});

const methodWith = (changes: Partial<ServiceAccountTokenOptions> = {}): ServiceAccountTokens =>
  new ServiceAccountTokens({
    keys: [publicHalf(older), publicHalf(key)],
    issuers: [ISSUER, 'https://former.example'],
    audiences: ['server'],
    lookup: true,
    objects,
    runtime,
    vocabulary,
    ...changes,
  });
const method = methodWith();
const signer = new ServiceAccountSigner({ key, issuer: ISSUER, audiences: ['server'], runtime, vocabulary });

const request = async (changes: object = {}): Promise<string> =>
  (await signer.sign({ ...robot, audiences: ['server'], expirationSeconds: HOUR, ...changes })).token;
const userOf = (token: string, tokens = method): string | undefined => tokens.ownerOf(token, ['server'])?.user.name;

const ROBOT = 'system:serviceaccount:ns:robot';

describe('a token from a token request', () => {
  it('tells the account, its groups, and the pod that holds it', async () => {
    stored.set('pods/ns/p', { uid: 'p-1', deletesAt: undefined });
    const token = await request({ boundTo: { kind: 'Pod', name: 'p', uid: 'p-1' } });
    expect(method.ownerOf(token, ['other', 'server'])).toEqual({
      user: {
        name: ROBOT,
        uid: 'r-1',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
        extra: new Map([
          ['authentication.platform.io/pod-name', ['p']],
          ['authentication.platform.io/pod-uid', ['p-1']],
        ]),
      },
      audiences: ['server'],
    });
  });

  it('is good from when it was made until it ends, however often it was used before', async () => {
    const token = await request();
    const start = now;
    const goodAt = (seconds: number): boolean => {
      now = start + seconds * 1000;
      return userOf(token) === ROBOT;
    };
    expect([0, HOUR - 1, HOUR, HOUR + 1, -60, -61].map(goodAt)).toEqual([true, true, false, false, true, false]);
  });

  it('is for its audiences only', async () => {
    const token = await request({ audiences: ['vault', 'bank'] });
    expect(method.ownerOf(token, ['server'])).toBeUndefined();
    expect(method.ownerOf(token, ['bank', 'server'])?.audiences).toEqual(['bank']);
    expect(method.ownerOf(token, [])).toBeUndefined();
  });

  it('ends at once with the account, and does not come back with another of its name', async () => {
    const token = await request();
    expect(userOf(token)).toBe(ROBOT);
    stored.clear();
    expect(userOf(token)).toBeUndefined();
    stored.set('serviceaccounts/ns/robot', { uid: 'r-2', deletesAt: undefined });
    expect(userOf(token)).toBeUndefined();
    stored.set('serviceaccounts/ns/robot', { uid: 'r-1', deletesAt: now });
    expect(userOf(token)).toBeUndefined();
  });

  it.each([
    ['Pod', 'pods', 60_000],
    ['Secret', 'secrets', 0],
  ] as const)('ends with the %s it is bound to', async (kind, plural, late) => {
    const token = await request({ boundTo: { kind, name: 'b', uid: 'b-1' } });
    expect(userOf(token)).toBeUndefined();
    const put = (uid: string, deletesAt?: number): void => void stored.set(`${plural}/ns/b`, { uid, deletesAt });
    put('b-1');
    expect(userOf(token)).toBe(ROBOT);
    put('b-2');
    expect(userOf(token)).toBeUndefined();
    put('b-1', now + 30_000);
    expect(userOf(token)).toBe(ROBOT);
    put('b-1', now - late);
    expect(userOf(token)).toBeUndefined();
  });

  it('must be signed by one of the keys and issuers', async () => {
    const claims = boundClaims(
      { ...robot, audiences: ['server'], issuer: ISSUER, issued: now / 1000, expires: now / 1000 + HOUR },
      vocabulary,
    );
    const made = async (by: typeof key, changes: Claims = {}, id = by.id): Promise<string | undefined> =>
      userOf(await signToken(by.key, by.algorithm, id, { ...claims, ...changes }));
    expect(await made(key)).toBe(ROBOT);
    expect(await made(older)).toBe(ROBOT);
    expect(await made(key, {}, 'a name that others use')).toBe(ROBOT);
    expect(await made(key, {}, older.id)).toBeUndefined();
    expect(await made(newKey())).toBeUndefined();
    expect(await made(newKey(), {}, key.id)).toBeUndefined();
    expect(await made(key, { iss: 'https://former.example' })).toBe(ROBOT);
    for (const iss of ['https://other.example', '', undefined, [ISSUER], `${ISSUER}/`])
      expect(await made(key, { iss })).toBeUndefined();
  });

  it('must say everything, and say it right', async () => {
    const claims = boundClaims(
      { ...robot, audiences: ['server'], issuer: ISSUER, issued: now / 1000, expires: now / 1000 + HOUR },
      vocabulary,
    );
    const bound = claims['platform.io'] as Claims;
    const made = async (changes: Claims): Promise<string | undefined> =>
      userOf(await signToken(key.key, key.algorithm, key.id, { ...claims, ...changes }));
    expect(await made({})).toBe(ROBOT);
    expect(await made({ aud: 'server' })).toBe(ROBOT);
    expect(await made({ aud: undefined })).toBe(ROBOT);
    const wrong: Claims[] = [
      { sub: 'system:serviceaccount:ns:other' },
      { sub: 'system:masters' },
      { sub: undefined },
      { exp: undefined },
      { exp: String(now / 1000 + HOUR) },
      { nbf: now / 1000 + 61 },
      { iat: now / 1000 + 61 },
      { aud: [1] },
      { aud: { server: true } },
      { 'platform.io': undefined },
      { 'platform.io': { ...bound, namespace: 'other' } },
      { 'platform.io': { ...bound, namespace: '' } },
      { 'platform.io': { ...bound, serviceaccount: { name: 'robot' } } },
      { 'platform.io': { ...bound, serviceaccount: { name: 'robot', uid: '' } } },
      { 'platform.io': { ...bound, pod: { name: 'p' } } },
      { 'platform.io': { ...bound, secret: 'x' } },
    ];
    for (const changes of wrong) expect(await made(changes), JSON.stringify(changes)).toBeUndefined();
  });
});

describe('a token kept in a secret', async () => {
  const token = await signer.signForSecret({ ...robot, secretName: 's' });
  const holding = (text: string): Secret =>
    ({
      metadata: { name: 's', uid: 's-1' },
      type: 'platform.io/service-account-token',
      data: { token: Buffer.from(text).toString('base64') },
    }) as unknown as Secret;

  it('is good while the secret holds it and the account is there', () => {
    expect(userOf(token)).toBeUndefined();
    secret = holding(token);
    expect(method.ownerOf(token, ['server'])).toMatchObject({
      user: { name: ROBOT, uid: 'r-1' },
      audiences: ['server'],
    });
    expect(method.ownerOf(token, ['vault'])).toBeUndefined();
    now += 1000 * 365 * 24 * HOUR * 1000;
    expect(userOf(token)).toBe(ROBOT);
    secret = holding(`${token}x`);
    expect(userOf(token)).toBeUndefined();
    secret = { ...holding(token), type: 'Opaque' };
    expect(userOf(token)).toBeUndefined();
    const leaving = holding(token);
    secret = { ...leaving, metadata: { ...leaving.metadata, deletionTimestamp: '2030-01-01T00:00:00Z' } };
    expect(userOf(token)).toBeUndefined();
    secret = holding(token);
    stored.clear();
    expect(userOf(token)).toBeUndefined();
  });

  it('is good for ever where nobody looks', () => {
    expect(userOf(token, methodWith({ lookup: false }))).toBe(ROBOT);
  });

  it('does not pass for one that was requested', async () => {
    secret = holding(token);
    const forged = await signToken(key.key, key.algorithm, key.id, { iss: vocabulary.tokenIssuers.legacy, sub: ROBOT });
    expect(userOf(forged, methodWith({ lookup: false }))).toBeUndefined();
  });
});

it('a token of the other vocabulary is not known', async () => {
  const token = await request();
  expect(userOf(token, methodWith({ vocabulary: vocabularies.kubernetes }))).toBeUndefined();
});
