import type { StartOptions } from '../../src/server/options.ts';
import { Browser, CONSOLE_FOLDER } from './browser.ts';
import { startTestServer, type TestServer } from './test-server.ts';

/** A server with a console, a browser to look at it with, and some things to see. */
export interface ConsolePlane {
  readonly plane: TestServer;
  readonly browser: Browser;
  /** Writes as the administrator; fails when that is refused. Gives the answer's object. */
  write(method: string, path: string, body: unknown, type?: string): Promise<{ metadata: { uid: string } }>;
  close(): Promise<void>;
}

export const MERGE = 'application/merge-patch+json';
export const SHOP = '/namespaces/shop';

export async function startConsolePlane(options: StartOptions = {}): Promise<ConsolePlane> {
  const [plane, browser] = await Promise.all([
    startTestServer({ consoleFolder: CONSOLE_FOLDER, ...options }),
    Browser.open(),
  ]);
  const write: ConsolePlane['write'] = async (method, path, body, type = 'application/json') => {
    const answer = await plane.admin.request(method, path, JSON.stringify(body), { 'content-type': type });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body;
  };
  await write('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } });
  const close = async (): Promise<void> => {
    await browser.close();
    await plane.close();
  };
  return { plane, browser, write, close };
}

/** A Deployment, a ReplicaSet that it owns, and pods that that one owns. */
export async function addShop({ write }: ConsolePlane): Promise<void> {
  const labels = { app: 'web', tier: 'front' };
  const spec = { containers: [{ name: 'main', image: 'registry.example.com/web:1.4.2' }] };
  const template = { metadata: { labels }, spec };
  const workload = { replicas: 3, selector: { matchLabels: { app: 'web' } }, template };
  const owned = (kind: string, name: string, uid: string) => [
    { apiVersion: 'apps/v1', kind, name, uid, controller: true },
  ];
  const made = await write('POST', `/apis/apps/v1${SHOP}/deployments`, {
    metadata: { name: 'web', labels },
    spec: workload,
  });
  const metadata = { name: 'web-5d8c7', labels, ownerReferences: owned('Deployment', 'web', made.metadata.uid) };
  const set = await write('POST', `/apis/apps/v1${SHOP}/replicasets`, { metadata, spec: workload });
  for (const end of ['a', 'b', 'c']) {
    const ownerReferences = owned('ReplicaSet', 'web-5d8c7', set.metadata.uid);
    const name = `web-5d8c7-${end}`;
    await write('POST', `/api/v1${SHOP}/pods`, { metadata: { name, labels, ownerReferences }, spec });
    if (end === 'c') continue;
    const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }];
    const containerStatuses = [{ name: 'main', ready: true, restartCount: 0, image: 'a', imageID: 'b', state: {} }];
    const status = { phase: 'Running', conditions, containerStatuses };
    await write('PATCH', `/api/v1${SHOP}/pods/${name}/status`, { status }, MERGE);
  }
  await write('POST', `/api/v1${SHOP}/events`, {
    metadata: { name: 'web.1' },
    involvedObject: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      namespace: 'shop',
      name: 'web',
      uid: made.metadata.uid,
    },
    reason: 'ScalingReplicaSet',
    message: 'Scaled up replica set web-5d8c7 to 3',
    type: 'Normal',
    count: 1,
    lastTimestamp: new Date().toISOString(),
  });
}
