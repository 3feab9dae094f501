import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminAccess, loadClientConfig, parseClientConfig, readCredentials, renderAdminConfig } from './config.ts';
import { decodeClientConfig } from './config-file.ts';

const access: AdminAccess = {
  server: 'https://127.0.0.1:6443',
  caPem: 'authority\n',
  certPem: 'certificate\n',
  keyPem: 'key\n',
  clusterName: 'platform',
  userName: 'platform-admin',
};

describe('the administrator’s configuration', () => {
  test('reads back as it was written, whatever the names and contents', async () => {
    const text = fc.string({ minLength: 1, unit: 'grapheme' });
    await fc.assert(
      fc.asyncProperty(
        fc.webUrl({ validSchemes: ['https'] }),
        text,
        text,
        text,
        text,
        async (server, ca, cert, key, name) => {
          const rendered = renderAdminConfig({
            server,
            caPem: ca,
            certPem: cert,
            keyPem: key,
            clusterName: name,
            userName: `${name}-admin`,
          });
          expect(await parseClientConfig(rendered, '/')).toMatchObject({
            server,
            ca,
            clientCertificate: cert,
            clientKey: key,
            insecureSkipTlsVerify: false,
          });
        },
      ),
      // A key whose base64 is 76e0.
      { examples: [['https://a.aa', 'a', 'a', '\uf9f4', 'a']] },
    );
  });

  test('is understood by the official JavaScript client', () => {
    const peer = new KubeConfig();
    peer.loadFromString(renderAdminConfig(access));
    expect(peer.getCurrentCluster()).toMatchObject({
      name: 'platform',
      server: access.server,
      caData: Buffer.from(access.caPem).toString('base64'),
    });
    expect(peer.getCurrentUser()).toMatchObject({
      certData: Buffer.from(access.certPem).toString('base64'),
      keyData: Buffer.from(access.keyPem).toString('base64'),
    });
  });
});

describe('a configuration with files and several contexts', () => {
  let directory = '';
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'client-config-'));
    for (const name of ['ca.crt', 'client.crt', 'client.key']) writeFileSync(join(directory, name), `${name} text`);
    writeFileSync(join(directory, 'token'), 'secret\n');
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const text = `
apiVersion: v1
kind: Config
preferences: {}
clusters:
- name: files
  cluster: { server: 'https://files.example/base', certificate-authority: ca.crt, tls-server-name: inner, extensions: [] }
- name: open
  cluster: { server: 'http://open.example', insecure-skip-tls-verify: true, proxy-url: 'http://proxy.example' }
- name: open
  cluster: { server: 'http://second.example' }
users:
- name: certificate
  user: { client-certificate: client.crt, client-key: ./client.key, client-key-data: ${Buffer.from('inline').toString('base64')} }
- name: token
  user: { token: abc, tokenFile: token, as: jane, as-groups: [dev, ops], as-user-extra: { scopes: [a, b] } }
- name: token-file
  user: { tokenFile: token }
- name: basic
  user: { username: joe, password: pass }
contexts:
- name: first
  context: { cluster: files, user: certificate, namespace: work }
- name: second
  context: { cluster: open, user: token }
- name: third
  context: { cluster: open, user: token-file }
- name: fourth
  context: { cluster: open, user: basic }
- name: anonymous
  context: { cluster: open, user: '' }
current-context: first
`;

  test('resolves the current context; inline data wins over a file', async () => {
    expect(await parseClientConfig(text, directory)).toEqual({
      server: 'https://files.example/base',
      ca: 'ca.crt text',
      insecureSkipTlsVerify: false,
      tlsServerName: 'inner',
      clientCertificate: 'client.crt text',
      clientKey: 'inline',
      namespace: 'work',
    });
  });

  test('resolves a context by name; of two clusters with one name the first counts', async () => {
    expect(await parseClientConfig(text, directory, 'second')).toEqual({
      server: 'http://open.example',
      insecureSkipTlsVerify: true,
      proxyUrl: 'http://proxy.example',
      token: 'abc',
      impersonate: { user: 'jane', groups: ['dev', 'ops'], extra: { scopes: ['a', 'b'] } },
    });
    expect(await parseClientConfig(text, directory, 'fourth')).toMatchObject({ username: 'joe', password: 'pass' });
  });

  test('reads a token from its file and tells where it was', async () => {
    const tokenFile = join(directory, 'token');
    expect(await parseClientConfig(text, directory, 'third')).toMatchObject({ token: 'secret', tokenFile });
  });

  test('needs no user', async () => {
    const connection = await parseClientConfig(text, directory, 'anonymous');
    expect(connection).toEqual({
      server: 'http://open.example',
      insecureSkipTlsVerify: true,
      proxyUrl: 'http://proxy.example',
    });
  });

  test('gives credentials of users without a context', async () => {
    const { users } = await decodeClientConfig('{"users":[{"name":"*.example","user":{"token":"t"}}]}', directory);
    const user = users.get('*.example');
    expect(user && (await readCredentials(user))).toEqual({ token: 't' });
  });

  test('errors of a loaded file start with its path', async () => {
    const path = join(directory, 'config');
    await expect(loadClientConfig(path)).rejects.toThrow(new Error(`${path}: cannot be read (ENOENT)`));
    writeFileSync(path, text.replace('ca.crt', 'gone.crt'));
    const gone = join(directory, 'gone.crt');
    await expect(loadClientConfig(path)).rejects.toThrow(
      new Error(`${path}: certificate-authority ${gone}: cannot be read (ENOENT)`),
    );
    expect(await loadClientConfig(path, 'third')).toMatchObject({ token: 'secret' });
  });
});

describe('a faulty configuration is refused in one line', () => {
  const valid = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: 'https://c.example' } }],
    users: [{ name: 'u', user: {} }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
  const withUser = (user: unknown) => ({ ...valid, users: [{ name: 'u', user }] });
  const withCluster = (cluster: unknown) => ({ ...valid, clusters: [{ name: 'c', cluster }] });

  test.each<[config: unknown, message: string]>([
    [null, 'client configuration: expected a mapping'],
    [[], 'client configuration: expected a mapping'],
    [{ ...valid, kind: 'Pod' }, 'kind: expected Config, found Pod'],
    [{ ...valid, apiVersion: 'v2' }, 'apiVersion: expected v1, found v2'],
    [{ ...valid, 'current-context': '' }, 'current-context: missing'],
    [{ ...valid, 'current-context': 'y' }, 'context "y" does not exist (there are x)'],
    [{ ...valid, clusters: null }, 'cluster "c" does not exist (there are none)'],
    [{ ...valid, users: [] }, 'user "u" does not exist (there are none)'],
    [{ ...valid, users: {} }, 'users: expected a list'],
    [{ ...valid, users: [{ user: {} }] }, 'users[0].name: missing'],
    [withCluster({}), 'clusters[0].cluster.server: missing'],
    [withCluster({ server: 'c.example:6443' }), 'server: "c.example:6443" is not an http or https URL'],
    [
      withCluster({ server: 'https://c', 'insecure-skip-tls-verify': 'yes' }),
      'clusters[0].cluster.insecure-skip-tls-verify: expected true or false',
    ],
    [
      withCluster({ server: 'https://c', 'certificate-authority-data': '-----BEGIN' }),
      'clusters[0].cluster.certificate-authority-data: not base64',
    ],
    [withUser({ token: 12 }), 'users[0].user.token: expected a string'],
    [withUser('u'), 'users[0].user: expected a mapping'],
    [withUser({ as: 'a', 'as-groups': [1] }), 'users[0].user.as-groups: expected a list of strings'],
    [withUser({ 'client-key-data': 'YQ==' }), 'client-certificate and client-key: one is given without the other'],
    [withUser({ exec: { command: 'login', apiVersion: 'v1' } }), 'exec: credential plugins are not supported'],
    [withUser({ exec: {} }), 'users[0].user.exec.command: missing'],
    [withUser({ exec: { command: 'login' } }), 'users[0].user.exec.apiVersion: missing'],
    [
      withUser({ exec: { command: 'login', apiVersion: 'v1', interactiveMode: 'Sometimes' } }),
      'users[0].user.exec.interactiveMode: expected one of Never, IfAvailable, Always',
    ],
    [
      withUser({ 'auth-provider': { name: 'gcp' } }),
      'users[0].user.auth-provider: not supported; a credential plugin (exec) takes its place',
    ],
  ])('%#: %s', async (config, message) => {
    await expect(parseClientConfig(JSON.stringify(config), '/')).rejects.toThrow(new Error(message));
  });

  test.each([
    ['{"token": "hidden', ': line 1 cannot be parsed'],
    ['{"token": hidden]', ': line 1 cannot be parsed'],
    ['kind: Config\ntoken: hidden: hidden', ': line 2 cannot be parsed'],
    ['- *hidden', ''],
  ])('%#: broken text, without a word of it', async (text, where) => {
    await expect(parseClientConfig(text, '/')).rejects.toThrow(new Error(`neither YAML nor JSON${where}`));
  });

  test.each([
    `{"preferences": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    `preferences: ${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    `preferences:\n${Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth + 1)}a:`).join('\n')}`,
  ])('%#: a text that nests without end', async (text) => {
    await expect(parseClientConfig(text, '/')).rejects.toThrow(new Error('nests deeper than 200 levels'));
  });

  test('a text without end', async () => {
    await expect(parseClientConfig(`# ${'x'.repeat(17 * 2 ** 20)}`, '/')).rejects.toThrow(/longer than \d+ characters/);
  });

  test('YAML may start with a brace', async () => {
    const text =
      '{clusters: [{name: c, cluster: {server: "https://c"}}], contexts: [{name: x, context: {cluster: c}}], current-context: x}';
    expect(await parseClientConfig(text, '/')).toMatchObject({ server: 'https://c' });
  });
});
