import { createHash, X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConnection } from '../src/client/config/load-connection.ts';
import { publicKeyInfo } from '../src/pki/keys.ts';
import { type VocabularyName, vocabularies } from '../src/vocabulary/vocabulary.ts';
import { eventually } from './support/audit.ts';
import { http1Client } from './support/client.ts';
import { Platformctl } from './support/platformctl.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const TOKEN = 'abcdef.0123456789abcdef';
const UNAPPROVED = 'fedcba.0123456789abcdef';

/** A plane that machines can join: strangers may read what it says of itself, and those with a token ask for certificates. */
async function startJoinable(name: VocabularyName): Promise<TestServer> {
  const plane = await startTestServer({ vocabulary: name, enableBootstrapTokenAuth: true });
  const { namespaces, secretTypes, groups, clusterRoleNames } = vocabularies[name];
  const post = async (path: string, body: object) => {
    const { status, text } = await plane.admin.request('POST', path, body);
    expect(status, text).toBe(201);
  };
  const rbac = `/apis/${groups.rbac}/v1`;
  const apiGroup = groups.rbac;
  const roleRef = (kind: string, role: string) => ({ apiGroup, kind, name: role });
  for (const [token, group] of [
    [TOKEN, 'system:bootstrappers:nodes'],
    [UNAPPROVED, 'system:bootstrappers:others'],
  ] as const) {
    const [id = '', secret] = token.split('.');
    await post(`/api/v1/namespaces/${namespaces.system}/secrets`, {
      metadata: { name: `bootstrap-token-${id}` },
      type: secretTypes.bootstrapToken,
      stringData: {
        'token-id': id,
        'token-secret': secret,
        'usage-bootstrap-signing': 'true',
        'usage-bootstrap-authentication': 'true',
        'auth-extra-groups': group,
      },
    });
  }
  const bind = (metadata: object, role: string, group: string) =>
    post(`${rbac}/clusterrolebindings`, {
      metadata,
      roleRef: roleRef('ClusterRole', role),
      subjects: [{ apiGroup, kind: 'Group', name: group }],
    });
  await bind({ name: 'ask' }, 'system:node-bootstrapper', 'system:bootstrappers');
  await bind({ name: 'approve' }, clusterRoleNames.nodeClient, 'system:bootstrappers:nodes');
  const inPublic = `${rbac}/namespaces/${namespaces.public}`;
  await post(`${inPublic}/roles`, {
    metadata: { name: 'cluster-info' },
    rules: [{ apiGroups: [''], resources: ['configmaps'], resourceNames: ['cluster-info'], verbs: ['get'] }],
  });
  await post(`${inPublic}/rolebindings`, {
    metadata: { name: 'cluster-info' },
    roleRef: roleRef('Role', 'cluster-info'),
    subjects: [{ apiGroup, kind: 'User', name: 'system:anonymous' }],
  });
  await publish(plane, name, plane);
  return plane;
}

const infoPath = (name: VocabularyName): string =>
  `/api/v1/namespaces/${vocabularies[name].namespaces.public}/configmaps`;

/** Puts what one plane says of itself on a plane, and waits until it is signed. */
async function publish(plane: TestServer, name: VocabularyName, { connection }: TestServer): Promise<void> {
  const ca = Buffer.from(connection.ca ?? '').toString('base64');
  const kubeconfig = `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: ${ca}
    server: ${connection.server}
  name: ""
contexts: null
current-context: ""
kind: Config
preferences: {}
users: null
`;
  await plane.admin.request('DELETE', `${infoPath(name)}/cluster-info`);
  await plane.admin.request('POST', infoPath(name), { metadata: { name: 'cluster-info' }, data: { kubeconfig } });
  await eventually(async () => {
    const { data = {} } = (await plane.admin.request('GET', `${infoPath(name)}/cluster-info`)).body;
    return data['jws-kubeconfig-abcdef'] && data['jws-kubeconfig-fedcba'] ? true : undefined;
  });
}

const hashOf = ({ connection }: TestServer): string => {
  const { publicKey } = new X509Certificate(connection.ca ?? '');
  return `sha256:${createHash('sha256').update(publicKeyInfo(publicKey)).digest('hex')}`;
};

const placeOf = ({ connection }: TestServer): string => new URL(connection.server).host;

/** Joins from an empty home; `words` go after the address. */
async function joining(plane: TestServer, ...words: string[]) {
  const home = await temporaryDirectory();
  const ran = await new Platformctl(home, join(home, 'config')).run(['join', placeOf(plane), ...words]);
  return { ...ran, home };
}

describe.each(['platform', 'kubernetes'] as const)('a machine joins a plane of the %s vocabulary', (name) => {
  let plane: TestServer;
  beforeAll(async () => {
    plane = await startJoinable(name);
  });
  afterAll(() => plane.close());

  const joinedAs = async (file: string): Promise<string> => {
    const connection = await loadConnection({
      explicitFile: file,
      environment: {},
      homeDirectory: '/',
      vocabularies: [vocabularies[name]],
    });
    const client = http1Client(connection);
    const { body } = await client.request('GET', '/api/v1/namespaces/default/limitranges');
    client.close();
    return body.message;
  };

  it('with a token and the hash of the authority, and is a node from then on', async () => {
    const { code, stdout, stderr, home } = await joining(
      plane,
      `--token=${TOKEN}`,
      `--discovery-token-ca-hash=${hashOf(plane).toUpperCase().replace('SHA256', 'sha256')}`,
      '--node-name=Machine-1',
    );
    expect([code, stderr]).toEqual([
      0,
      `The plane at ${plane.connection.server} is what it says; waiting for a certificate.\n`,
    ]);
    const context = `system:node:machine-1@${placeOf(plane)}`;
    expect(stdout).toBe(
      `This machine has joined as "system:node:machine-1": context "${context}" is the current one.\n`,
    );
    expect((await stat(join(home, 'config'))).mode & 0o777).toBe(0o600);
    expect(await joinedAs(join(home, 'config'))).toContain('User "system:node:machine-1" cannot list');
    expect(await readFile(join(home, 'config'), 'utf8')).not.toContain('0123456789abcdef');
  });

  it('with a token alone when it is told to, into the file that is named', async () => {
    const skip = '--discovery-token-unsafe-skip-ca-verification';
    const { code, home } = await joining(plane, `--token=${TOKEN}`, skip, '--node-name=n2', '--kubeconfig=node.conf');
    expect(code).toBe(0);
    expect(await joinedAs(join(home, 'node.conf'))).toContain('User "system:node:n2" cannot list');
  });
});

describe('a machine does not join', () => {
  let plane: TestServer;
  let other: TestServer;
  beforeAll(async () => {
    plane = await startJoinable('platform');
    other = await startJoinable('platform');
  });
  afterAll(async () => {
    await plane.close();
    await other.close();
  });

  const refusal = async (...words: string[]): Promise<string> => {
    const { code, stdout, stderr, home } = await joining(plane, ...words);
    expect([code, stdout]).toEqual([1, '']);
    await expect(stat(join(home, 'config'))).rejects.toThrow('ENOENT');
    return stderr;
  };

  it('without all that it takes', async () => {
    const hash = `--discovery-token-ca-hash=${hashOf(plane)}`;
    expect(await refusal(hash)).toBe('error: --token is required\n');
    expect(await refusal(hash, '--token=SECRET')).toBe(
      'error: the token is not of the form "abcdef.0123456789abcdef"\n',
    );
    expect(await refusal(`--token=${TOKEN}`)).toContain('--discovery-token-ca-hash is required');
    expect(await refusal(`--token=${TOKEN}`, '--discovery-token-ca-hash=sha256:12')).toContain(
      '"sha256:12" is not a hash',
    );
  });

  it('whose authority has another hash', async () => {
    const wrong = `sha256:${'0'.repeat(64)}`;
    expect(await refusal(`--token=${TOKEN}`, `--discovery-token-ca-hash=${wrong}`)).toBe(
      `error: the authority in cluster-info has the hash ${hashOf(plane)}, not the one that is expected\n`,
    );
  });

  it('with a token that did not sign', async () => {
    const hash = `--discovery-token-ca-hash=${hashOf(plane)}`;
    const { server } = plane.connection;
    expect(await refusal('--token=zzzzzz.0123456789abcdef', hash)).toBe(
      `error: cluster-info of ${server} is not signed with the token "zzzzzz": it is unknown there, or expired\n`,
    );
    expect(await refusal('--token=abcdef.fedcba9876543210', hash)).toBe(
      `error: the signature of cluster-info of ${server} is not by the token "abcdef": do not trust this server\n`,
    );
  });

  it('at a place that only repeats what the plane says', async () => {
    await publish(plane, 'platform', other);
    try {
      const message = await refusal(`--token=${TOKEN}`, `--discovery-token-ca-hash=${hashOf(other)}`);
      expect(message).toMatch(/certificate|self-signed|verify/);
    } finally {
      await publish(plane, 'platform', plane);
    }
  });

  it('whose request nobody approves in time, or somebody denies', async () => {
    const words = [`--token=${UNAPPROVED}`, `--discovery-token-ca-hash=${hashOf(plane)}`, '--node-name=n'];
    expect(await refusal(...words, '--timeout=1ms')).toMatch(
      /error: the certificate request node-csr-\w+ was not approved within 0.001 s\n$/,
    );
    const waiting = refusal(...words);
    const requests = '/apis/certificates.platform.io/v1/certificatesigningrequests';
    const denied = await eventually(async () => {
      const { items } = (await plane.admin.request('GET', requests)).body;
      return items.length > 1 ? items : undefined;
    });
    const status = { conditions: [{ type: 'Denied', status: 'True', reason: 'Test', message: 'not you' }] };
    for (const { metadata } of denied) {
      await plane.admin.request('PATCH', `${requests}/${metadata.name}/approval`, { status });
    }
    expect(await waiting).toMatch(/error: the certificate request node-csr-\w+ was denied: not you\n$/);
  });

  it('that does not let strangers read cluster-info', async () => {
    await plane.admin.request('DELETE', `${infoPath('platform')}/cluster-info`);
    const hash = `--discovery-token-ca-hash=${hashOf(plane)}`;
    expect(await refusal(`--token=${TOKEN}`, hash)).toBe(
      `error: cluster-info of ${plane.connection.server} cannot be read (404, 403): strangers have to be let read it\n`,
    );
    await publish(plane, 'platform', plane);
  });
});
