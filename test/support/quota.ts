import { expect } from 'vitest';
import { vocabularies } from '../../src/vocabulary/vocabulary.ts';
import type { Answer } from './client.ts';
import type { TestServer } from './test-server.ts';

type Amounts = Readonly<Record<string, string>>;

interface QuotaStatus {
  readonly hard?: Amounts;
  readonly used?: Amounts;
}

/** A namespace of a running server, with quotas in it. */
export class QuotaNamespace {
  readonly name: string;
  private readonly plane: TestServer;

  private constructor(plane: TestServer, name: string) {
    this.plane = plane;
    this.name = name;
  }

  /** Made, with what every namespace has. */
  static async make(plane: TestServer, name: string): Promise<QuotaNamespace> {
    await plane.admin.request('POST', '/api/v1/namespaces', { metadata: { name } });
    const namespace = new QuotaNamespace(plane, name);
    const { rootCaConfigMap } = vocabularies.platform.wellKnown;
    for (const path of ['serviceaccounts/default', `configmaps/${rootCaConfigMap}`]) {
      await expect.poll(async () => (await namespace.request('GET', path)).status).toBe(200);
    }
    return namespace;
  }

  /** The same namespace, by way of another server. */
  through(plane: TestServer): QuotaNamespace {
    return new QuotaNamespace(plane, this.name);
  }

  /** Below the namespace in the core group, or in another where `path` begins with it: `apis/apps/v1/deployments`. */
  request(method: string, path: string, body?: unknown): Promise<Answer> {
    const [, api = 'api/v1', rest = ''] = /^(?:(apis\/[^/]+\/[^/]+)\/)?(.*)$/.exec(path) ?? [];
    return this.plane.admin.request(method, `/${api}/namespaces/${this.name}/${rest}`, body);
  }

  /** A quota that is in force. */
  async bound(hard: Amounts, more: object = {}, name = 'q'): Promise<void> {
    const made = await this.request('POST', 'resourcequotas', { metadata: { name }, spec: { hard, ...more } });
    expect(made.status, made.text).toBe(201);
    await expect
      .poll(async () => Object.keys((await this.status(name)).used ?? {}))
      .toHaveLength(Object.keys(hard).length);
  }

  async status(name = 'q'): Promise<QuotaStatus> {
    return (await this.request('GET', `resourcequotas/${name}`)).body.status as QuotaStatus;
  }

  async used(name = 'q'): Promise<Amounts> {
    return (await this.status(name)).used ?? {};
  }
}

export const podOf = (name: string, requests: Amounts = {}, limits: Amounts = {}, spec: object = {}) => ({
  metadata: { name },
  spec: {
    automountServiceAccountToken: false,
    containers: [{ name: 'main', image: 'example/main:1', resources: { requests, limits } }],
    ...spec,
  },
});
