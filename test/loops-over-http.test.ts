import { afterEach, describe, expect, it } from 'vitest';
import { ConfiguredIdentity } from '../src/client/identity.ts';
import type { AnyObject } from '../src/client/plane-client.ts';
import { LoopsApart } from '../src/controllers/apart/loops-apart.ts';
import { fromKey, keyOf, type Loop, servedKind } from '../src/controllers/loop.ts';
import { LoopMetrics } from '../src/observe/metrics/loop-metrics.ts';
import { systemRuntime } from '../src/runtime/runtime.ts';
import type { StartOptions } from '../src/server/server.ts';
import { vocabularies } from '../src/vocabulary/vocabulary.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { TcpProxy } from './support/tcp-proxy.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const MAPS = { group: '', plural: 'configmaps' };
const CLAIMS = { group: '', plural: 'persistentvolumeclaims' };
const WIDGETS = { group: 'example.com', plural: 'widgets' };
const COLLECTION = '/api/v1/namespaces/default/configmaps';
const DEFINITIONS = '/apis/apiextensions.platform.io/v1/customresourcedefinitions';

const endings: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** Notes what it is told of, and marks every map that it sees. */
function noting(seen: string[]): Loop {
  const note = (what: string) => (object: AnyObject) => {
    seen.push(`${what}${object.metadata.name}`);
    return what === '+' && object.kind === 'ConfigMap' ? [keyOf(object)] : [];
  };
  const watching = { onSet: note('+'), onRemove: note('-') };
  return {
    name: 'noting',
    account: 'noting',
    begin: (plane) => ({
      watches: [
        { ...MAPS, mentions: '"mark-me"', ...watching },
        { ...WIDGETS, ...watching },
        { ...CLAIMS, ...watching },
      ],
      async handle(key) {
        const { namespace, name } = fromKey(key);
        if (!plane.known.get(MAPS, namespace, name)) return;
        const target = { kind: servedKind(plane, MAPS), namespace, name };
        await plane.client.mergePatch(target, { data: { marked: 'yes' } });
      },
    }),
  };
}

interface Running {
  readonly plane: TestServer;
  readonly proxy: TcpProxy;
  readonly seen: string[];
  readonly errors: unknown[];
}

async function run(options: StartOptions = {}): Promise<Running> {
  const plane = await startTestServer(options);
  endings.push(() => plane.close());
  const proxy = await TcpProxy.to(plane.connection.server);
  endings.push(() => proxy.close());
  const server = plane.connection.server.replace(/:\d+$/, `:${new URL(proxy.url).port}`);
  const seen: string[] = [];
  const errors: unknown[] = [];
  const loops = new LoopsApart({
    connection: { ...plane.connection, server },
    identity: new ConfiguredIdentity(plane.connection, systemRuntime),
    vocabulary: vocabularies.platform,
    runtime: systemRuntime,
    loops: [noting(seen)],
    asAccounts: false,
    election: undefined,
    metrics: new LoopMetrics(systemRuntime),
    onError: (...error) => errors.push(error),
  });
  endings.push(() => loops.close());
  return { plane, proxy, seen, errors };
}

async function make({ plane }: Running, name: string): Promise<void> {
  const { status } = await plane.admin.request('POST', COLLECTION, {
    metadata: { name },
    data: { 'mark-me': '' },
  });
  expect(status).toBe(201);
}

const marked = ({ plane }: Running, name: string): Promise<void> =>
  expect
    .poll(async () => (await plane.admin.request('GET', `${COLLECTION}/${name}`)).body.data?.marked, {
      timeout: 20_000,
    })
    .toBe('yes');

describe('a loop over HTTP', () => {
  it('goes on where it was when its connections are cut', async () => {
    const running = await run();
    await make(running, 'first');
    await marked(running, 'first');
    const { managedFields } = (await running.plane.admin.request('GET', `${COLLECTION}/first`)).body
      .metadata as unknown as { managedFields: { manager: string }[] };
    expect(managedFields.map(({ manager }) => manager)).toContain('kube-controller-manager');
    running.proxy.cut();
    await make(running, 'second');
    await running.plane.admin.request('DELETE', `${COLLECTION}/first`);
    running.proxy.restore();
    await marked(running, 'second');
    await expect.poll(() => running.seen).toContain('-first');
    // What was known is not told again: the watch was resumed.
    expect(running.seen.filter((one) => one === '+first')).toHaveLength(2);
  });

  it('lists again when the plane has forgotten what came meanwhile', async () => {
    const clock = new ShiftableRuntime();
    const running = await run({ runtime: clock });
    await make(running, 'first');
    await make(running, 'kept');
    await marked(running, 'first');
    await marked(running, 'kept');
    running.proxy.cut();
    await running.plane.admin.request('DELETE', `${COLLECTION}/first`);
    await make(running, 'second');
    // Twice: what is old is found by a timer, and forgotten by the next.
    for (let i = 0; i < 4; i++) clock.advance(200_000);
    await make(running, 'third');
    const since = (await running.plane.admin.request('GET', `${COLLECTION}/kept`)).body.metadata.resourceVersion;
    const resumed = await running.plane.admin.request(
      'GET',
      `${COLLECTION}?watch=1&resourceVersion=${since}&timeoutSeconds=1`,
    );
    expect(resumed.text).toContain('"code":410');
    running.proxy.restore();
    await marked(running, 'second');
    await marked(running, 'third');
    await expect.poll(() => running.seen).toContain('-first');
    expect(running.seen.filter((one) => one === '+kept')).toHaveLength(2);
  });

  it('follows a kind that comes later, and learns that its objects are gone with it', async () => {
    const running = await run();
    const { admin } = running.plane;
    await make(running, 'first');
    await marked(running, 'first');
    const schema = { openAPIV3Schema: { type: 'object', 'x-platform-preserve-unknown-fields': true } };
    const { status } = await admin.request('POST', DEFINITIONS, {
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    });
    expect(status).toBe(201);
    const widgets = '/apis/example.com/v1/namespaces/default/widgets';
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } };
    await expect.poll(async () => (await admin.request('POST', widgets, widget)).status).toBe(201);
    await expect.poll(() => running.seen, { timeout: 20_000 }).toContain('+w');
    await admin.request('DELETE', `${DEFINITIONS}/widgets.example.com`);
    await expect.poll(() => running.seen, { timeout: 20_000 }).toContain('-w');
  });
});
