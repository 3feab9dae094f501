import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Server, type StartOptions, startServer } from '../../src/server/server.ts';
import type { VocabularyName } from '../../src/vocabulary/vocabulary.ts';
import { vocabularies } from '../../src/vocabulary/vocabulary.ts';
import { TestAuthority } from './certificates.ts';
import { insist } from './patience.ts';
import { makeDirectory, removeDirectory } from './temporary-directory.ts';
import { startTestServer, type TestServer } from './test-server.ts';

export const GROUP = 'flunders.example.com';
const SERVICE = { namespace: 'default', name: 'extension' };

/** A definition of what the server behind the other one serves. */
const definitionOf = (apiextensions: string): object => ({
  apiVersion: `${apiextensions}/v1`,
  kind: 'CustomResourceDefinition',
  metadata: { name: `flunders.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'flunders', kind: 'Flunder', shortNames: ['fl'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'Something of another server.',
            properties: {
              spec: {
                type: 'object',
                properties: { size: { type: 'integer', minimum: 1, description: 'How large it is.' } },
              },
            },
          },
        },
      },
    ],
  },
});

/** A server, and a second one of ours that serves a group behind it, over HTTPS. */
export class FrontAndExtension {
  readonly front: TestServer;
  readonly extension: Server;
  readonly directory: string;
  /** PEM of what the second server is verified by. */
  readonly authority: string;

  private constructor(front: TestServer, extension: Server, directory: string, authority: string) {
    this.authority = authority;
    this.front = front;
    this.extension = extension;
    this.directory = directory;
  }

  static async start(vocabulary: VocabularyName, options: StartOptions = {}): Promise<FrontAndExtension> {
    const directory = await makeDirectory();
    const file = async (name: string, text: string): Promise<string> => {
      await writeFile(join(directory, name), text);
      return join(directory, name);
    };
    const proxies = new TestAuthority('front-proxies');
    const backends = new TestAuthority('backends');
    const proxy = proxies.client({ commonName: 'front-proxy' });
    const serving = backends.server([`${SERVICE.name}.${SERVICE.namespace}.svc`, '127.0.0.1']);
    let port = 0;
    const front = await startTestServer({
      vocabulary,
      requestheaderClientCaFile: await file('proxies.crt', proxies.pem),
      requestheaderAllowedNames: ['front-proxy'],
      requestheaderUsernameHeaders: ['X-Remote-User'],
      requestheaderGroupHeaders: ['X-Remote-Group'],
      requestheaderExtraHeadersPrefix: ['X-Remote-Extra-'],
      proxyClientCertFile: await file('proxy.crt', proxy.clientCertificate),
      proxyClientKeyFile: await file('proxy.key', proxy.clientKey),
      network: { locate: (place) => (place.host === '10.2.0.1' ? { host: '127.0.0.1', port } : place) },
    });
    const names = vocabularies[vocabulary];
    const kubeconfig = await file('front.conf', await delegate(front, names));
    const extension = await startServer({
      vocabulary,
      store: 'memory',
      port: 0,
      freezeObjects: true,
      tlsCertFile: await file('serving.crt', serving.cert),
      tlsPrivateKeyFile: await file('serving.key', serving.key),
      aggregatedBehind: { kubeconfig, groups: [GROUP] },
      ...options,
    });
    port = extension.port;
    await serveFlunders(extension, names.groups.apiextensions);
    const both = new FrontAndExtension(front, extension, directory, backends.pem);
    await both.#register(names.groups.apiregistration);
    return both;
  }

  async make(path: string, body: object): Promise<void> {
    const answer = await this.front.admin.request('POST', path, body);
    expect(answer.status, answer.text).toBe(201);
  }

  async close(): Promise<void> {
    await this.front.close();
    await this.extension.close();
    await removeDirectory(this.directory);
  }

  async #register(group: string): Promise<void> {
    const metadata = { name: SERVICE.name };
    const subsets = [{ addresses: [{ ip: '10.2.0.1' }], ports: [{ port: 8443 }] }];
    await this.make('/api/v1/namespaces/default/services', { metadata, spec: { ports: [{ port: 443 }] } });
    await this.make('/api/v1/namespaces/default/endpoints', { metadata, subsets });
    await this.make(`/apis/${group}/v1/apiservices`, {
      metadata: { name: `v1.${GROUP}` },
      spec: {
        group: GROUP,
        version: 'v1',
        groupPriorityMinimum: 1500,
        versionPriority: 15,
        service: SERVICE,
        caBundle: Buffer.from(this.authority).toString('base64'),
      },
    });
    await insist(async () => expect((await this.front.admin.request('GET', `/apis/${GROUP}/v1`)).status).toBe(200));
  }
}

type Names = (typeof vocabularies)[VocabularyName];

/** A configuration by which the second server asks the first, as an account that may do just that. */
async function delegate({ admin, connection }: TestServer, { groups, namespaces }: Names): Promise<string> {
  const { rbac } = groups;
  const account = { kind: 'ServiceAccount', namespace: 'default', name: 'extension' };
  const posted = [
    ['/api/v1/namespaces/default/serviceaccounts', { metadata: { name: account.name } }],
    [
      `/apis/${rbac}/v1/clusterrolebindings`,
      {
        metadata: { name: 'extension-delegates' },
        roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'system:auth-delegator' },
        subjects: [account],
      },
    ],
    [
      `/apis/${rbac}/v1/clusterroles`,
      {
        metadata: { name: 'read-namespaces' },
        rules: [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get'] }],
      },
    ],
    [
      `/apis/${rbac}/v1/clusterrolebindings`,
      {
        metadata: { name: 'extension-reads-namespaces' },
        roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'read-namespaces' },
        subjects: [account],
      },
    ],
    [
      `/apis/${rbac}/v1/namespaces/${namespaces.system}/rolebindings`,
      {
        metadata: { name: 'extension-reads' },
        roleRef: { apiGroup: rbac, kind: 'Role', name: 'extension-apiserver-authentication-reader' },
        subjects: [account],
      },
    ],
  ] as const;
  for (const [path, body] of posted) expect((await admin.request('POST', path, body)).status).toBe(201);
  const path = `/api/v1/namespaces/default/serviceaccounts/${account.name}/token`;
  const { status } = (await admin.request('POST', path, { spec: {} })).body;
  const { token } = status as { token: string };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'front',
        cluster: {
          server: connection.server,
          'certificate-authority-data': Buffer.from(connection.ca ?? '').toString('base64'),
        },
      },
    ],
    users: [{ name: 'extension', user: { token } }],
    contexts: [{ name: 'front', context: { cluster: 'front', user: 'extension' } }],
    'current-context': 'front',
  });
}

/** What is served is for the program around the server to say. */
async function serveFlunders(extension: Server, apiextensions: string): Promise<void> {
  const made = await extension.inject({
    method: 'POST',
    target: `/apis/${apiextensions}/v1/customresourcedefinitions`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(definitionOf(apiextensions)),
    as: 'admin',
  });
  expect(made.status).toBe(201);
  await insist(() => expect(extension.catalogue.hasGroup(GROUP)).toBe(true));
}
