import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import { isSignedWith, readBootstrapToken, tokenText } from './bootstrap-token.ts';

const TEXT = 'abcdef.0123456789abcdef';
const token = readBootstrapToken(TEXT);

function signature(key: string, header: object = { alg: 'HS256', kid: 'abcdef' }, content = 'the truth'): string {
  const encoded = (text: string): string => Buffer.from(text).toString('base64url');
  const head = encoded(JSON.stringify(header));
  return `${head}..${createHmac('sha256', key)
    .update(`${head}.${encoded(content)}`)
    .digest('base64url')}`;
}

describe('a token', () => {
  it('is an id and a secret', () => {
    expect(token).toEqual({ id: 'abcdef', secret: '0123456789abcdef' });
    expect(tokenText(token)).toBe(TEXT);
  });

  it.each(['', 'abcdef', 'abcdef.0123', 'ABCDEF.0123456789abcdef', `${TEXT} `, `x${TEXT}`])(
    'is nothing else (%j), and the refusal does not repeat it',
    (text) => {
      expect(() => readBootstrapToken(text)).toThrow(
        new Error('the token is not of the form "abcdef.0123456789abcdef"'),
      );
    },
  );
});

describe('a signature', () => {
  const { platform, kubernetes } = vocabularies;

  it('is by the full token, or by the secret alone in the original vocabulary', () => {
    expect(isSignedWith(token, 'the truth', signature(TEXT), platform)).toBe(true);
    expect(isSignedWith(token, 'the truth', signature('0123456789abcdef'), platform)).toBe(false);
    expect(isSignedWith(token, 'the truth', signature('0123456789abcdef'), kubernetes)).toBe(true);
    expect(isSignedWith(token, 'the truth', signature(TEXT), kubernetes)).toBe(false);
  });

  it.each<[what: string, text: string | undefined]>([
    ['is missing', undefined],
    ['is empty', ''],
    ['is of another text', signature(TEXT, undefined, 'a lie')],
    ['is by another token', signature(TEXT, { alg: 'HS256', kid: 'fedcba' })],
    ['is of another algorithm', signature(TEXT, { alg: 'HS512', kid: 'abcdef' })],
    ['is of no algorithm', `${Buffer.from('{"alg":"none","kid":"abcdef"}').toString('base64url')}..`],
    ['has a payload', signature(TEXT).replace('..', '.e30.')],
    ['has a header that is no JSON', `e30x..${'A'.repeat(43)}`],
    ['is cut short', signature(TEXT).slice(0, -1)],
  ])('that %s is none', (_what, text) => {
    expect(isSignedWith(token, 'the truth', text, platform)).toBe(false);
  });
});
