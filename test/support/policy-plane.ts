import type { StartOptions } from '../../src/server/server.ts';
import type { Answer } from './client.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const GROUP = 'admissionregistration.platform.io';
export const POLICIES = `/apis/${GROUP}/v1/validatingadmissionpolicies`;
export const BINDINGS = `/apis/${GROUP}/v1/validatingadmissionpolicybindings`;

/** Config maps, whatever happens to them. */
export const CONFIG_MAPS = {
  resourceRules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
};

/** A server with policies, each in a namespace of its own. */
export class PolicyPlane {
  readonly plane: TestServer;
  #count = 0;

  private constructor(plane: TestServer) {
    this.plane = plane;
  }

  static async start(options: StartOptions = {}): Promise<PolicyPlane> {
    const featureGates = ['ValidatingAdmissionPolicy=true', ...(options.featureGates ?? [])];
    return new PolicyPlane(await startTestServer({ ...options, featureGates }));
  }

  close(): Promise<void> {
    return this.plane.close();
  }

  fresh(prefix: string): string {
    return `${prefix}-${this.#count++}`;
  }

  request(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.plane.admin.request(method, path, body);
  }

  /** As `request`, for what must succeed. */
  async done(method: string, path: string, body?: unknown): Promise<Answer['body']> {
    const answer = await this.request(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body;
  }

  /** A namespace that selectors can tell from others. */
  async namespace(labels: Record<string, string> = {}): Promise<string> {
    const name = this.fresh('space');
    await this.done('POST', '/api/v1/namespaces', { metadata: { name, labels: { ...labels, space: name } } });
    return name;
  }

  /** A policy about the config maps of a namespace, unless `spec` says otherwise, and a binding that refuses what violates it. */
  async enforce(namespace: string, spec: object, binding: object = {}): Promise<string> {
    const name = this.fresh('policy');
    const namespaceSelector = { matchLabels: { space: namespace } };
    await this.done('POST', POLICIES, {
      metadata: { name },
      spec: { matchConstraints: { ...CONFIG_MAPS, namespaceSelector }, ...spec },
    });
    await this.done('POST', BINDINGS, {
      metadata: { name: `${name}-binding` },
      spec: { policyName: name, validationActions: ['Deny'], ...binding },
    });
    return name;
  }

  createConfigMap(namespace: string, more: object = {}, query = ''): Promise<Answer> {
    return this.request('POST', `/api/v1/namespaces/${namespace}/configmaps${query}`, {
      metadata: { generateName: 'c-' },
      ...more,
    });
  }
}
