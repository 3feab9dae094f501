import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import fc from 'fast-check';
import { CompactSign, compactVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { type AlgorithmName, algorithmOf, isSigned, readToken, signToken } from './jwt.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const otherRsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const curves = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' } as const;
const keys: Readonly<Record<AlgorithmName, { privateKey: KeyObject; publicKey: KeyObject }>> = {
  RS256: rsa,
  RS384: rsa,
  RS512: rsa,
  PS256: rsa,
  PS384: rsa,
  PS512: rsa,
  ES256: generateKeyPairSync('ec', { namedCurve: curves.ES256 }),
  ES384: generateKeyPairSync('ec', { namedCurve: curves.ES384 }),
  ES512: generateKeyPairSync('ec', { namedCurve: curves.ES512 }),
};
const algorithms = Object.keys(keys) as AlgorithmName[];

const claims = { sub: 'alice', aud: ['x'] };
const accepts = (token: string, key: KeyObject): boolean => {
  const read = readToken(token);
  return read !== undefined && isSigned(read, key);
};
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe.each(algorithms)('a token signed with %s', (algorithm) => {
  const { privateKey, publicKey } = keys[algorithm];

  it('is understood by another library, and theirs here', async () => {
    const ours = await signToken(privateKey, algorithm, 'k', claims);
    const { payload, protectedHeader } = await compactVerify(ours, publicKey);
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual(claims);
    expect(protectedHeader).toEqual({ alg: algorithm, kid: 'k' });

    const body = Buffer.from(JSON.stringify(claims));
    const theirs = await new CompactSign(body).setProtectedHeader({ alg: algorithm, kid: 'k' }).sign(privateKey);
    expect(accepts(theirs, publicKey)).toBe(true);
    expect(readToken(theirs)).toMatchObject({ algorithm, keyId: 'k', claims });
  });

  it('is good with no other key', async () => {
    const token = await signToken(privateKey, algorithm, 'k', claims);
    for (const other of algorithms.filter((name) => keys[name] !== keys[algorithm])) {
      expect(accepts(token, keys[other].publicKey), other).toBe(false);
    }
    const stranger =
      publicKey.asymmetricKeyType === 'rsa'
        ? otherRsa
        : generateKeyPairSync('ec', { namedCurve: curves[algorithm as keyof typeof curves] });
    expect(accepts(token, stranger.publicKey)).toBe(false);
  });
});

describe('a token', async () => {
  const { privateKey, publicKey } = keys.ES256;
  const good = await signToken(privateKey, 'ES256', 'k', claims);

  it('with any character changed, added or left out is not good', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \n';
    const character = fc.constantFrom(...alphabet);
    const place = fc.nat({ max: good.length - 1 });
    fc.assert(
      fc.property(place, character, fc.constantFrom(0, 1), (at, text, removed) => {
        const changed = good.slice(0, at) + text + good.slice(at + removed);
        expect(accepts(changed, publicKey)).toBe(changed === good);
      }),
      { numRuns: 400 },
    );
    for (let at = 0; at < good.length; at++) expect(accepts(good.slice(0, at), publicKey)).toBe(false);
  });

  it('cannot choose a way of signing that takes no private key', () => {
    const body = part(claims);
    const pem = publicKey.export({ format: 'pem', type: 'spki' });
    const hmac = (input: string): string => createHmac('sha256', pem).update(input).digest('base64url');
    const forged = ['none', 'None', 'NONE', '', 'HS256', 'constructor', '__proto__', undefined, 256].flatMap((alg) => {
      const input = `${part({ alg })}.${body}`;
      return [`${input}.`, input, `${input}.AA`, `${input}.${hmac(input)}`, `${input}.${good.split('.')[2]}`];
    });
    for (const token of forged) expect(accepts(token, publicKey), token).toBe(false);
  });

  it('is not good because its numbers are zero, or its signature is in another form', () => {
    const input = good.split('.').slice(0, 2).join('.');
    const der = sign('sha256', Buffer.from(input), privateKey).toString('base64url');
    const zeros = Buffer.alloc(64).toString('base64url');
    for (const signature of [der, zeros, part({})]) expect(accepts(`${input}.${signature}`, publicKey)).toBe(false);
  });

  it('that demands to be understood is not', () => {
    const signed = (header: object): string => {
      const input = `${part(header)}.${part(claims)}`;
      return `${input}.${sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
    };
    expect(accepts(signed({ alg: 'ES256' }), publicKey)).toBe(true);
    expect(accepts(signed({ alg: 'ES256', jwk: publicKey.export({ format: 'jwk' }) }), publicKey)).toBe(true);
    expect(accepts(signed({ alg: 'ES256', crit: ['b64'], b64: true }), publicKey)).toBe(false);
    expect(accepts(signed({ alg: 'ES256', kid: { a: 1 } }), publicKey)).toBe(false);
  });

  it('that brings its own key is not verified with it', () => {
    const own = keys.ES384;
    const input = `${part({ alg: 'ES384', jwk: own.publicKey.export({ format: 'jwk' }), jku: 'https://example.com' })}.${part(claims)}`;
    const signature = sign('sha384', Buffer.from(input), { key: own.privateKey, dsaEncoding: 'ieee-p1363' });
    expect(accepts(`${input}.${signature.toString('base64url')}`, publicKey)).toBe(false);
  });

  it('is any text, and reading it never throws', () => {
    fc.assert(fc.property(fc.string(), fc.string(), fc.string(), (a, b, c) => void readToken(`${a}.${b}.${c}`)));
    const json = fc.json().map((text) => Buffer.from(text).toString('base64url'));
    fc.assert(fc.property(json, json, (a, b) => void readToken(`${a}.${b}.AA`)));
  });
});

describe('a key', () => {
  it('signs in the one way that goes with it, or not at all', () => {
    const publicHalf = (key: KeyObject): KeyObject => createPublicKey(key);
    for (const name of ['RS256', 'ES256', 'ES384', 'ES512'] as const) {
      expect(algorithmOf(keys[name].privateKey)).toBe(name);
      expect(algorithmOf(publicHalf(keys[name].privateKey))).toBe(name);
    }
    expect(algorithmOf(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey)).toBeUndefined();
    expect(algorithmOf(generateKeyPairSync('ed25519').publicKey)).toBeUndefined();
    expect(algorithmOf(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey)).toBeUndefined();
  });
});
