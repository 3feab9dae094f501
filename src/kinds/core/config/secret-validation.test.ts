import { describe, expect, it } from 'vitest';
import { changed, problemsOf, problemsOfChange } from '../../../../test/problems-of.ts';
import { Secret } from './secret.ts';
import { validateSecret, validateSecretUpdate } from './secret-validation.ts';

const rules = { validate: validateSecret };
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('a secret', () => {
  it.each([
    { type: 'anything', data: { a: base64('b') } },
    { type: 'platform.io/dockercfg', data: { '.dockercfg': base64('{}') } },
    { type: 'platform.io/dockerconfigjson', data: { '.dockerconfigjson': base64('{"auths":{}}') } },
    { type: 'platform.io/basic-auth', data: { username: '' } },
    { type: 'platform.io/ssh-auth', data: { 'ssh-privatekey': base64('k') } },
    { type: 'platform.io/tls', data: { 'tls.crt': '', 'tls.key': '' } },
    {
      type: 'platform.io/service-account-token',
      metadata: { annotations: { 'platform.io/service-account.name': 's' } },
    },
  ])('may be %j', (document) => {
    expect(problemsOf(Secret, rules, document)).toEqual([]);
  });

  it.each([
    [{ data: { 'a b': '' } }, ['Invalid data[a b]']],
    [{ data: { a: base64('a'.repeat(1024 * 1024 + 1)) } }, ['TooLong data']],
    [{ type: 'platform.io/dockercfg' }, ['Required data[.dockercfg]']],
    [{ type: 'platform.io/dockercfg', data: { '.dockercfg': base64('[]') } }, ['Invalid data[.dockercfg]']],
    [{ type: 'platform.io/dockerconfigjson' }, ['Required data[.dockerconfigjson]']],
    [
      { type: 'platform.io/dockerconfigjson', data: { '.dockerconfigjson': base64('{') } },
      ['Invalid data[.dockerconfigjson]'],
    ],
    [{ type: 'platform.io/basic-auth' }, ['Required data[password]', 'Required data[username]']],
    [{ type: 'platform.io/ssh-auth', data: { 'ssh-privatekey': '' } }, ['Required data[ssh-privatekey]']],
    [{ type: 'platform.io/tls' }, ['Required data[tls.crt]', 'Required data[tls.key]']],
    [
      { type: 'platform.io/service-account-token' },
      ['Required metadata.annotations[platform.io/service-account.name]'],
    ],
  ])('is refused %#', (document, causes) => {
    expect(problemsOf(Secret, rules, document)).toEqual(causes);
  });

  it('keeps its type, and all it holds once it is immutable', () => {
    const old = { type: 'Opaque', immutable: true, data: { a: '' } };
    const change = (to: unknown) => problemsOfChange(Secret, validateSecretUpdate, old, changed(old, to));
    expect(change({})).toEqual([]);
    expect(change({ type: 'other' })).toEqual(['Invalid type']);
    expect(change({ data: { b: '' } })).toEqual(['Forbidden data']);
    expect(change({ immutable: null })).toEqual(['Forbidden immutable']);
  });
});
