import { writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { StartOptions } from '../../src/server/server.ts';
import { TestAuthority } from './certificates.ts';
import type { Document } from './client.ts';
import { insist } from './patience.ts';
import { StandIn } from './stand-in.ts';
import { makeDirectory, removeDirectory } from './temporary-directory.ts';
import { startTestServer, type TestServer } from './test-server.ts';

export const API_SERVICES = '/apis/apiregistration.platform.io/v1/apiservices';
export const GROUP = 'metrics.example.com';
export const VERSION = `/apis/${GROUP}/v1`;
export const NAME = `v1.${GROUP}`;

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
}

/** What every server behind an APIService answers at the path of its version. */
export const RESOURCES = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: `${GROUP}/v1`,
  resources: [
    { name: 'samples', singularName: 'sample', namespaced: true, kind: 'Sample', verbs: ['get', 'list', 'watch'] },
    { name: 'samples/status', singularName: '', namespaced: true, kind: 'Sample', verbs: ['get', 'update'] },
  ],
};

/** Answers the path of the version as such a server does, and everything else as it is told. */
export const serving =
  (rest: RequestListener = (_request, response) => response.writeHead(404).end()): RequestListener =>
  (request, response) => {
    if (request.url !== VERSION) rest(request, response);
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(RESOURCES));
  };

/** A server, and another one that answers for a version of a group behind it. */
export class AggregatedPlane {
  readonly plane: TestServer;
  readonly backend: StandIn;
  /** Vouches for the backend. */
  readonly authority: TestAuthority;
  /** What the server shows to the backend, and the key of it. */
  readonly proxyFiles: readonly [certificate: string, key: string];
  readonly #directory: string;

  private constructor(plane: TestServer, backend: StandIn, authority: TestAuthority, directory: string) {
    this.proxyFiles = [join(directory, 'proxy.crt'), join(directory, 'proxy.key')];
    this.plane = plane;
    this.backend = backend;
    this.authority = authority;
    this.#directory = directory;
  }

  /** Addresses that begin with 10.1. lead to the backend. */
  static async start(options: StartOptions = {}): Promise<AggregatedPlane> {
    const directory = await makeDirectory();
    const authority = new TestAuthority('backends');
    const proxies = new TestAuthority('proxies');
    const backend = await StandIn.open(authority, ['backend.default.svc']);
    backend.answer = serving();
    const { clientCertificate, clientKey } = proxies.client({ commonName: 'front-proxy' });
    const [certificate, key] = [join(directory, 'proxy.crt'), join(directory, 'proxy.key')];
    await Promise.all([writeFile(certificate, clientCertificate), writeFile(key, clientKey)]);
    const plane = await startTestServer({
      proxyClientCertFile: certificate,
      proxyClientKeyFile: key,
      network: {
        locate: (place) => (place.host.startsWith('10.1.') ? { host: '127.0.0.1', port: backend.port } : place),
      },
      ...options,
    });
    return new AggregatedPlane(plane, backend, authority, directory);
  }

  async make(path: string, body: object): Promise<Document> {
    const answer = await this.plane.admin.request('POST', path, body);
    expect(answer.status, answer.text).toBe(201);
    return answer.body;
  }

  makeService(port = 443): Promise<Document> {
    return this.make('/api/v1/namespaces/default/services', {
      metadata: { name: 'backend' },
      spec: { ports: [{ port }] },
    });
  }

  makeEndpoints(): Promise<Document> {
    const subsets = [{ addresses: [{ ip: '10.1.0.1' }], ports: [{ port: 8443 }] }];
    return this.make('/api/v1/namespaces/default/endpoints', { metadata: { name: 'backend' }, subsets });
  }

  register(spec: object = {}): Promise<Document> {
    return this.make(API_SERVICES, {
      metadata: { name: NAME },
      spec: {
        group: GROUP,
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 10,
        service: { namespace: 'default', name: 'backend' },
        caBundle: Buffer.from(this.authority.pem).toString('base64'),
        ...spec,
      },
    });
  }

  /** The condition, once it has this reason, and this text in its message. `meanwhile` is called before each look. */
  untilReason(reason: string, text = '', meanwhile: () => unknown = () => {}): Promise<Condition> {
    return insist(async () => {
      meanwhile();
      const { body } = await this.plane.admin.request('GET', `${API_SERVICES}/${NAME}`);
      const { conditions = [] } = body.status as { conditions?: Condition[] };
      expect(conditions).toEqual([expect.objectContaining({ reason, message: expect.stringContaining(text) })]);
      return conditions[0] ?? expect.unreachable();
    });
  }

  async close(): Promise<void> {
    await this.plane.close();
    await Promise.all([this.backend.close(), removeDirectory(this.#directory)]);
  }
}
