import { expect } from 'vitest';
import { HttpTransport } from '../../src/client/http-transport.ts';
import { ConfiguredIdentity } from '../../src/client/identity.ts';
import { systemRuntime } from '../../src/runtime/runtime.ts';
import type { StartOptions } from '../../src/server/options.ts';
import { ContainerNode } from './container-node.ts';
import { makeDirectory, removeDirectory } from './temporary-directory.ts';
import { startTestServer, type TestServer } from './test-server.ts';

/** A server, a node that runs processes of this machine, and a pod on it. */
export class PlaneWithPod {
  readonly plane: TestServer;
  readonly node: ContainerNode;
  /** Where the server keeps its files, the client configuration among them. */
  readonly directory: string;
  /** What the container sees. */
  readonly inside: string;

  private constructor(plane: TestServer, node: ContainerNode, directory: string, inside: string) {
    this.plane = plane;
    this.node = node;
    this.directory = directory;
    this.inside = inside;
  }

  static async start(vocabulary: 'platform' | 'kubernetes', options: StartOptions = {}): Promise<PlaneWithPod> {
    const [directory, inside] = [await makeDirectory(), await makeDirectory()];
    const node = await ContainerNode.open(inside);
    const plane = await startTestServer({ vocabulary, dataDir: directory, ...options });
    const made = new PlaneWithPod(plane, node, directory, inside);
    const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }];
    const daemonEndpoints = { kubeletEndpoint: { Port: node.standIn.port } };
    await made.make('/api/v1/nodes', { metadata: { name: 'n1' }, status: { addresses, daemonEndpoints } });
    await made.addPod('web', ['main']);
    return made;
  }

  /** A running pod on the node. */
  async addPod(name: string, containers: readonly string[], labels: Record<string, string> = {}): Promise<void> {
    const spec = {
      nodeName: 'n1',
      containers: containers.map((one) => ({
        name: one,
        image: 'example/main:1',
        ports: [{ name: `${one}-port`, containerPort: 8080 }],
      })),
    };
    await this.make('/api/v1/namespaces/default/pods', { metadata: { name, labels }, spec });
    const status = {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: containers.map((one) => ({
        ...{ name: one, ready: true, restartCount: 0, image: 'example/main:1', imageID: '' },
        state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
      })),
    };
    const answer = await this.plane.admin.request('PATCH', `/api/v1/namespaces/default/pods/${name}/status`, {
      status,
    });
    expect(answer.status, answer.text).toBe(200);
  }

  /** Two pods of two containers, a Deployment and a Service in front of them, and a Service in front of nothing. */
  async addWorkloads(): Promise<void> {
    for (const name of ['many-a', 'many-b']) await this.addPod(name, ['main', 'side'], { app: 'many' });
    const template = { metadata: { labels: { app: 'many' } }, spec: { containers: [{ name: 'main', image: 'x' }] } };
    await this.make('/apis/apps/v1/namespaces/default/deployments', {
      metadata: { name: 'many' },
      spec: { replicas: 0, selector: { matchLabels: { app: 'many' } }, template },
    });
    await this.make('/api/v1/namespaces/default/services', {
      metadata: { name: 'shop' },
      spec: { selector: { app: 'many' }, ports: [{ name: 'http', port: 80, targetPort: 'main-port' }] },
    });
    await this.make('/api/v1/namespaces/default/services', {
      metadata: { name: 'lonely' },
      spec: { selector: { app: 'lonely' }, ports: [{ port: 80 }] },
    });
  }

  async make(path: string, body: object): Promise<void> {
    const answer = await this.plane.admin.request('POST', path, body);
    expect(answer.status, answer.text).toBe(201);
  }

  get identity(): ConfiguredIdentity {
    return new ConfiguredIdentity(this.plane.connection, systemRuntime);
  }

  transport(): HttpTransport {
    return new HttpTransport(this.plane.connection, systemRuntime, 'test', { environment: {} });
  }

  async close(): Promise<void> {
    await this.node.close();
    await this.plane.close();
    await Promise.all([removeDirectory(this.directory), removeDirectory(this.inside)]);
  }
}
