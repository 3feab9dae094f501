import { onTestFinished } from 'vitest';
import type { StartOptions } from '../../src/server/server.ts';
import { TestAuthority } from './certificates.ts';
import type { Answer } from './client.ts';
import { startTestServer, type TestServer } from './test-server.ts';
import { WebhookServer } from './webhook-server.ts';

const CONFIGURATIONS = '/apis/admissionregistration.platform.io/v1';

export type Sort = 'mutating' | 'validating';

/** What a webhook is asked about; everything that can happen to these when nothing else is said. */
export const rule = (resources: string[], apiGroups = [''], apiVersions = ['v1'], operations = ['*']) => ({
  rules: [{ operations, apiGroups, apiVersions, resources }],
});

/** A server that asks webhooks, and a web server with webhooks on it. */
export class WebhookPlane {
  readonly plane: TestServer;
  readonly hooks: WebhookServer;
  readonly authority: TestAuthority;
  #count = 0;

  private constructor(plane: TestServer, hooks: WebhookServer, authority: TestAuthority) {
    this.plane = plane;
    this.hooks = hooks;
    this.authority = authority;
  }

  static async start(options: StartOptions = {}, authority = new TestAuthority('hooks')): Promise<WebhookPlane> {
    const [plane, hooks] = await Promise.all([startTestServer(options), WebhookServer.open(authority)]);
    return new WebhookPlane(plane, hooks, authority);
  }

  async close(): Promise<void> {
    await this.plane.close();
    await this.hooks.close();
  }

  /** A name that nothing else has. */
  fresh(prefix: string): string {
    return `${prefix}-${this.#count++}`;
  }

  /** A namespace of its own. */
  async namespace(labels: Record<string, string> = {}): Promise<string> {
    const name = this.fresh('space');
    await this.done('POST', '/api/v1/namespaces', { metadata: { name, labels } });
    return name;
  }

  request(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.plane.admin.request(method, path, body);
  }

  /** As `request`, for what must succeed. */
  async done(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.request(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer;
  }

  createConfigMap(namespace: string, metadata: object = {}, query = ''): Promise<Answer> {
    return this.request('POST', `/api/v1/namespaces/${namespace}/configmaps${query}`, {
      metadata: { generateName: 'c-', ...metadata },
    });
  }

  /** How the webhook at a path is reached. */
  client(path: string): object {
    return { url: `${this.hooks.url}${path}`, caBundle: this.caBundle };
  }

  get caBundle(): string {
    return Buffer.from(this.authority.pem).toString('base64');
  }

  /** A webhook at a path for whatever happens to config maps in a namespace. */
  webhook(path: string, namespace: string, changes: object = {}): object {
    return {
      name: `${path.slice(1)}.example.com`,
      clientConfig: this.client(path),
      rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      namespaceSelector: { matchLabels: { 'platform.io/metadata.name': namespace } },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      timeoutSeconds: 5,
      ...changes,
    };
  }

  /** Configures webhooks; gives the path of the configuration. */
  async configured(sort: Sort, webhooks: readonly object[], name = this.fresh('hooks')): Promise<string> {
    const path = `${CONFIGURATIONS}/${sort}webhookconfigurations`;
    await this.done('POST', path, { metadata: { name }, webhooks });
    return `${path}/${name}`;
  }

  /** As `configured`, until the test is over. */
  async configure(sort: Sort, webhooks: readonly object[], name = this.fresh('hooks')): Promise<string> {
    const at = await this.configured(sort, webhooks, name);
    onTestFinished(async () => {
      await this.request('DELETE', at);
    });
    return at;
  }
}
