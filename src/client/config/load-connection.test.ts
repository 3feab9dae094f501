import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import { type ConnectionOptions, loadConnection } from './load-connection.ts';

let directory = '';
let environment: Record<string, string> = {};
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'client-config-'));
  for (const name of ['one', 'two', 'pod', 'bare']) mkdirSync(join(directory, name));
  for (const name of ['one', 'two']) {
    for (const file of ['ca.crt', 'client.crt', 'client.key'])
      writeFileSync(join(directory, name, file), `${name} ${file}`);
  }
  writeFileSync(
    join(directory, 'one', 'config'),
    `
clusters:
- name: one
  cluster: { server: 'https://one', certificate-authority: ca.crt, tls-server-name: inner, proxy-url: 'http://proxy' }
- name: empty
  cluster: { proxy-url: 'http://proxy' }
users:
- name: certificate
  user: { client-certificate: client.crt, client-key: client.key, as: jane, as-uid: '7' }
- name: plugin
  user: { exec: { command: ./bin/login, apiVersion: client.authentication.platform.io/v1, interactiveMode: Never } }
- name: found-plugin
  user: { exec: { command: login, apiVersion: client.authentication.platform.io/v1, interactiveMode: Never } }
- name: provider
  user: { auth-provider: { name: gcp } }
contexts:
- name: one
  context: { cluster: one, user: certificate, namespace: work }
- name: plugin
  context: { cluster: one, user: plugin }
- name: stray
  context: { user: certificate }
`,
  );
  writeFileSync(
    join(directory, 'two', 'config'),
    `
current-context: two
clusters:
- name: two
  cluster: { server: 'https://two', certificate-authority: ca.crt, insecure-skip-tls-verify: false }
users:
- name: both
  user: { token: abc, client-certificate-data: ${Buffer.from('inline').toString('base64')}, client-key: client.key }
- name: basic
  user: { username: joe, password: pass }
contexts:
- name: two
  context: { cluster: two, user: both }
`,
  );
  writeFileSync(join(directory, 'pod', 'token'), 'pod-token\n');
  writeFileSync(join(directory, 'pod', 'ca.crt'), 'pod authority');
  writeFileSync(join(directory, 'pod', 'namespace'), 'home\n');
  writeFileSync(join(directory, 'bare', 'token'), 'bare-token');
  const files = ['one', 'gone', 'two'].map((name) => join(directory, name, 'config'));
  environment = { PLATFORMCONFIG: files.join(delimiter) };
});
afterAll(() => rmSync(directory, { recursive: true }));

const load = (overrides: ConnectionOptions['overrides'] = {}, more: Partial<ConnectionOptions> = {}) =>
  loadConnection({
    vocabularies: [vocabularies.platform],
    environment,
    homeDirectory: directory,
    workingDirectory: directory,
    serviceAccountMount: join(directory, 'no-pod'),
    overrides,
    ...more,
  });

describe('a connection from several files', () => {
  it('is that of the current context; paths start from the file they stand in', async () => {
    expect(await load()).toEqual({
      server: 'https://two',
      ca: 'two ca.crt',
      insecureSkipTlsVerify: false,
      token: 'abc',
      clientCertificate: 'inline',
      clientKey: 'two client.key',
    });
    expect(await load({ context: 'one' })).toEqual({
      server: 'https://one',
      ca: 'one ca.crt',
      insecureSkipTlsVerify: false,
      tlsServerName: 'inner',
      proxyUrl: 'http://proxy',
      clientCertificate: 'one client.crt',
      clientKey: 'one client.key',
      impersonate: { user: 'jane', uid: '7', groups: [], extra: {} },
      namespace: 'work',
    });
  });

  it('runs the program beside the file, or the one on the PATH', async () => {
    const { plugin } = await load({ context: 'plugin' });
    expect(plugin).toMatchObject({ command: join(directory, 'one', 'bin', 'login'), interactiveMode: 'Never' });
    expect((await load({ user: 'found-plugin' })).plugin?.command).toBe('login');
  });

  it('may join a cluster and a user of different files', async () => {
    expect(await load({ cluster: 'one', user: 'basic' })).toMatchObject({ server: 'https://one', username: 'joe' });
  });
});

describe('overrides', () => {
  it('of the server clear the name that its certificate had', async () => {
    const moved = await load({ context: 'one', server: 'https://elsewhere' });
    expect([moved.server, moved.tlsServerName, moved.ca]).toEqual(['https://elsewhere', undefined, 'one ca.crt']);
    const named = await load({ context: 'one', server: 'https://elsewhere', tlsServerName: 'outer' });
    expect(named.tlsServerName).toBe('outer');
    expect((await load({ context: 'one', tlsServerName: 'outer', proxyUrl: 'http://p' })).proxyUrl).toBe('http://p');
  });

  it('of trust replace all that was said about it', async () => {
    expect(await load({ insecureSkipTlsVerify: true })).toMatchObject({ ca: undefined, insecureSkipTlsVerify: true });
    const authority = join(directory, 'one', 'ca.crt');
    expect(await load({ certificateAuthority: authority })).toMatchObject({
      ca: 'one ca.crt',
      insecureSkipTlsVerify: false,
    });
  });

  it('of credentials replace those that answer the same question', async () => {
    expect(await load({ user: 'basic', token: 'x' })).toMatchObject({ token: 'x', username: undefined });
    expect(await load({ username: 'ann', password: 'p' })).toMatchObject({ token: undefined, username: 'ann' });
    expect(await load({ token: 'x' })).toMatchObject({ token: 'x', clientCertificate: 'inline' });
    const file = (name: string) => join(directory, 'one', name);
    expect(await load({ clientCertificate: file('client.crt'), clientKey: 'one/client.key' })).toMatchObject({
      clientCertificate: 'one client.crt',
      clientKey: 'one client.key',
    });
  });

  it('of credentials leave no plugin to run', async () => {
    expect(await load({ context: 'plugin', token: 'x' })).toMatchObject({ token: 'x', plugin: undefined });
    expect(await load({ user: 'provider', token: 'x' })).toMatchObject({ token: 'x' });
  });

  it('say whom to act as, where to work, and for how long', async () => {
    const overridden = await load({
      as: 'ann',
      asUid: '1',
      asGroups: ['dev'],
      namespace: 'n',
      requestTimeoutMs: 90_000,
    });
    expect(overridden).toMatchObject({
      impersonate: { user: 'ann', uid: '1', groups: ['dev'] },
      namespace: 'n',
      requestTimeoutMs: 90_000,
    });
  });

  it('are enough without any configuration', async () => {
    const bare = { environment: {} };
    expect(await load({ server: 'http://127.0.0.1:1', token: 't' }, bare)).toEqual({
      server: 'http://127.0.0.1:1',
      insecureSkipTlsVerify: false,
      token: 't',
    });
  });
});

test.each<[overrides: ConnectionOptions['overrides'], message: string]>([
  [{ context: 'none' }, 'context "none" does not exist (there are one, plugin, stray, two)'],
  [{ cluster: 'none' }, 'cluster "none" does not exist (there are one, empty, two)'],
  [{ user: 'none' }, 'user "none" does not exist (there are certificate, plugin, found-plugin, provider, both, basic)'],
  [{ context: 'stray' }, 'context "stray" names no cluster'],
  [{ cluster: 'empty' }, 'FILE: clusters[1].cluster.server: missing'],
  [
    { user: 'provider' },
    'FILE: users[3].user.auth-provider: not supported; a credential plugin (exec) takes its place',
  ],
  [{ asGroups: ['x'] }, 'as: missing; uid, groups and extra fields are those of a user to act as'],
])('%j: %s', async (overrides, message) => {
  const expected = message.replace('FILE', join(directory, 'one', 'config'));
  await expect(load(overrides)).rejects.toThrow(expected);
});

describe('in a pod', () => {
  const SERVICES = {
    platform: { PLATFORM_SERVICE_HOST: '10.0.0.1', PLATFORM_SERVICE_PORT: '443' },
    kubernetes: { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' },
  };
  const inPod = (environment: Record<string, string>, mount = 'pod', more: Partial<ConnectionOptions> = {}) =>
    load({}, { environment, serviceAccountMount: join(directory, mount), ...more });

  it('the service account is the user, in both vocabularies', async () => {
    expect(await inPod(SERVICES.platform)).toEqual({
      server: 'https://10.0.0.1:443',
      ca: 'pod authority',
      insecureSkipTlsVerify: false,
      token: 'pod-token',
      tokenFile: join(directory, 'pod', 'token'),
      namespace: 'home',
    });
    const original = await inPod(SERVICES.kubernetes, 'bare', { vocabularies: [vocabularies.kubernetes] });
    expect(original).toMatchObject({ server: 'https://[fd00::1]:6443', ca: undefined, token: 'bare-token' });
  });

  it('a configuration goes first, and overrides count', async () => {
    expect((await inPod({ ...SERVICES.platform, ...environment })).server).toBe('https://two');
    const overridden = await inPod(SERVICES.platform, 'pod', { overrides: { namespace: 'n', token: 'mine' } });
    expect(overridden).toMatchObject({ namespace: 'n', token: 'mine' });
    expect(overridden.tokenFile).toBeUndefined();
  });

  it('nothing is assumed where variables or files are missing', async () => {
    const home = join(directory, '.platform', 'config');
    const message = `no server is configured: there is nothing in ${home}, and none is named`;
    for (const [variables, mount] of [
      [{}, 'pod'],
      [SERVICES.kubernetes, 'pod'],
      [SERVICES.platform, 'gone'],
    ] as const) {
      await expect(inPod(variables, mount)).rejects.toThrow(new Error(message));
    }
  });
});
