import { once } from 'node:events';
import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AggregatedPlane, API_SERVICES, GROUP, NAME, serving, VERSION } from './support/aggregated-plane.ts';
import { type Answer, type Headers, http2Client, tlsOptions } from './support/client.ts';
import { DEFINITIONS, definition, version } from './support/definitions.ts';
import { insist } from './support/patience.ts';
import { shoutBack } from './support/stand-in.ts';
import { askForUpgrade, readBytes, upgraded } from './support/upgrade.ts';

/** Versions of API groups that another server answers for, over HTTPS. */

const AGGREGATED = 'application/json;g=apidiscovery.platform.io;v=v2;as=APIGroupDiscoveryList';

let front: AggregatedPlane;

beforeAll(async () => {
  front = await AggregatedPlane.start();
  await front.makeService();
  await front.makeEndpoints();
  await front.register();
  await front.untilReason('Passed');
});

afterAll(() => front.close());

const call = (method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Answer> =>
  front.plane.admin.request(method, path, body, headers);

interface Discovered {
  readonly items: {
    readonly metadata: { readonly name: string };
    readonly versions: { readonly version: string; readonly freshness: string; readonly resources: unknown[] }[];
  }[];
}

async function discovered(group: string) {
  const { items } = (await call('GET', '/apis', undefined, { accept: AGGREGATED })).body as unknown as Discovered;
  return items.find(({ metadata }) => metadata.name === group);
}

describe('a request for a version that another server answers for', () => {
  it('goes there as it came, with who asks in headers that count because of a certificate', async () => {
    front.backend.answer = serving((incoming, response) => {
      response.writeHead(201, { 'content-type': 'application/json', 'x-own': 'yes' });
      incoming.pipe(response);
    });
    const path = `${VERSION}/namespaces/default/samples?dryRun=All&x=%2F`;
    const answer = await call(
      'POST',
      path,
      { a: 1 },
      {
        'x-remote-user': 'intruder',
        'x-remote-group': 'system:masters',
        'x-remote-extra-scope': 'all',
        'x-remote-uid': '0',
        'impersonate-user': 'jörg',
        'impersonate-uid': '17',
        'impersonate-group': ['dev', 'system:masters'],
        'impersonate-extra-example.com%2Fscope': 'some',
      },
    );
    expect(answer).toMatchObject({ status: 201, text: '{"a":1}', headers: { 'x-own': 'yes' } });
    const { url, headers, headersDistinct } = front.backend.latest;
    expect(url).toBe(path);
    expect(front.backend.client).toBe('front-proxy');
    expect(Buffer.from(headers['x-remote-user'] as string, 'latin1').toString()).toBe('jörg');
    expect(headersDistinct['x-remote-group']).toEqual(['dev', 'system:masters', 'system:authenticated']);
    expect(headersDistinct['x-remote-uid']).toEqual(['17']);
    expect(headersDistinct['x-remote-extra-example.com%2fscope']).toEqual(['some']);
    expect(
      Object.keys(headers).filter((name) => /^(authorization|impersonate-|x-remote-extra-scope)/.test(name)),
    ).toEqual([]);
  });

  it('is refused here when the user may not, and never gets there', async () => {
    const asked = () => front.backend.received.filter(({ url }) => url !== VERSION).length;
    const before = asked();
    const refused = await call('GET', `${VERSION}/samples`, undefined, { 'impersonate-user': 'bob' });
    expect(refused.body).toMatchObject({ code: 403, reason: 'Forbidden', details: { group: GROUP, kind: 'samples' } });
    expect(asked()).toBe(before);
  });

  it('may come over HTTP/2', async () => {
    front.backend.answer = serving((_incoming, response) => response.end('{"kind":"SampleList"}'));
    const client = http2Client(front.plane.connection);
    expect(await client.request('GET', `${VERSION}/samples`)).toMatchObject({
      status: 200,
      text: '{"kind":"SampleList"}',
    });
    client.close();
  });

  it('uses the connection of an earlier read, or another one when that was closed meanwhile', async () => {
    front.backend.answer = serving((_incoming, response) => response.end('{}'));
    const sockets: unknown[] = [];
    for (let reads = 0; reads < 4; reads++) {
      if (reads === 2) front.backend.closeIdle();
      expect((await call('GET', `${VERSION}/samples`)).status).toBe(200);
      sockets.push(front.backend.latest.socket);
    }
    expect(sockets[1]).toBe(sockets[0]);
    expect(sockets[3]).not.toBe(sockets[0]);
    expect((await call('POST', `${VERSION}/samples`, {})).status).toBe(200);
    expect(sockets).not.toContain(front.backend.latest.socket);
  });

  it('lasts as long as it is watched, and the other server learns when nobody watches any more', async () => {
    front.backend.answer = serving((_incoming, response) => void response.write('{"type":"ADDED"}\n'));
    const { hostname, port } = new URL(front.plane.connection.server);
    const path = `${VERSION}/samples?watch=1`;
    const watching = request({ hostname, port, path, agent: false, ...tlsOptions(front.plane.connection) }).end();
    const [incoming] = await once(watching, 'response');
    const [event] = await once(incoming, 'data');
    expect(String(event)).toBe('{"type":"ADDED"}\n');
    const closed = once(front.backend.latest.socket, 'close');
    watching.destroy();
    await closed;
  });

  it('becomes a tunnel when it asks for another protocol and gets it', async () => {
    front.backend.upgrade = shoutBack;
    const path = `${VERSION}/namespaces/default/samples/a/exec`;
    const { socket, headers } = await upgraded(front.plane.connection, 'POST', path);
    expect(headers.upgrade).toBe('echo');
    socket.write('hello');
    expect(await readBytes(socket, 5)).toBe('HELLO');
    expect(front.backend.latest.headers['x-remote-user']).toBe('platform-admin');
    socket.destroy();
    front.backend.upgrade = (_request, duplex) => duplex.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno');
    expect(await askForUpgrade(front.plane.connection, 'POST', path)).toMatchObject({ status: 403, text: 'no' });
  });

  it('does not follow a redirect, nor have the client do so', async () => {
    front.backend.answer = serving((_incoming, response) =>
      response.writeHead(302, { location: 'https://elsewhere/' }).end(),
    );
    const refused = await call('GET', `${VERSION}/samples`);
    expect(refused.status).toBe(502);
    expect(refused.headers.location).toBeUndefined();
    expect(refused.body.message).toBe('the backend attempted to redirect this request, which is not permitted');
  });

  it.each(['.', '..', '%2E%2e'])('is refused with the segment %s, which leads elsewhere', async (dots) => {
    const { hostname, port } = new URL(front.plane.connection.server);
    const path = `${VERSION}/samples/${dots}/x`;
    const asking = request({ hostname, port, path, agent: false, ...tlsOptions(front.plane.connection) }).end();
    const [incoming] = await once(asking, 'response');
    expect(incoming.statusCode).toBe(400);
    asking.destroy();
  });
});

describe('discovery', () => {
  it('lists the group, its version, and at the path of the version what the other server says', async () => {
    front.backend.answer = serving();
    const group = (await call('GET', `/apis/${GROUP}`)).body;
    const inDiscovery = { groupVersion: `${GROUP}/v1`, version: 'v1' };
    expect(group).toMatchObject({ kind: 'APIGroup', versions: [inDiscovery], preferredVersion: inDiscovery });
    expect((await call('GET', VERSION)).body).toMatchObject({ kind: 'APIResourceList', groupVersion: `${GROUP}/v1` });
    expect((await call('GET', '/')).text).toContain(`"${VERSION}"`);
  });

  it('tells in one document what it serves', async () => {
    front.backend.answer = serving();
    expect(await discovered(GROUP)).toEqual({
      metadata: { name: GROUP, creationTimestamp: null },
      versions: [
        {
          version: 'v1',
          freshness: 'Current',
          resources: [
            {
              resource: 'samples',
              responseKind: { group: GROUP, version: 'v1', kind: 'Sample' },
              scope: 'Namespaced',
              singularResource: 'sample',
              verbs: ['get', 'list', 'watch'],
              subresources: [
                {
                  subresource: 'status',
                  responseKind: { group: GROUP, version: 'v1', kind: 'Sample' },
                  verbs: ['get', 'update'],
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it('is in the order of priorities', async () => {
    const names = async (): Promise<string[]> => {
      const { groups } = (await call('GET', '/apis')).body as unknown as { groups: { name: string }[] };
      return groups.map(({ name }) => name);
    };
    expect((await names()).at(-1)).toBe(GROUP);
    await call('PATCH', `${API_SERVICES}/${NAME}`, { spec: { groupPriorityMinimum: 20000 } });
    await insist(async () => expect((await names()).indexOf(GROUP)).toBe(1));
    await call('PATCH', `${API_SERVICES}/${NAME}`, { spec: { groupPriorityMinimum: 100 } });
    await insist(async () => expect((await names()).at(-1)).toBe(GROUP));
  });
});

describe('an APIService of the server itself', () => {
  it('is there for versions of custom kinds, and goes with them', async () => {
    await front.make(DEFINITIONS, definition('things', 'own.example.com', [version('v1beta1'), version('v1')]));
    const read = () => call('GET', `${API_SERVICES}/v1.own.example.com`);
    await insist(async () => expect((await read()).status).toBe(200));
    expect((await read()).body).toMatchObject({
      metadata: { labels: { 'kube-aggregator.platform.io/automanaged': 'true' } },
      spec: { group: 'own.example.com', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 100 },
      status: { conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] },
    });
    await call('DELETE', `${API_SERVICES}/v1.own.example.com`);
    await insist(async () => expect((await read()).status).toBe(200));
    await call('PATCH', `${API_SERVICES}/v1.own.example.com`, { spec: { versionPriority: 5 } });
    await insist(async () => expect((await read()).body.spec.versionPriority).toBe(100));
    await call('DELETE', `${DEFINITIONS}/things.own.example.com`);
    await insist(async () => expect((await read()).status).toBe(404));
    expect((await call('GET', `${API_SERVICES}/v1beta1.own.example.com`)).status).toBe(404);
  });

  it('is brought up to date at a start, and taken away with what is served no longer', async () => {
    const service = (await call('GET', `${API_SERVICES}/v1.apps`)).body;
    expect(service).toMatchObject({
      metadata: { labels: { 'kube-aggregator.platform.io/automanaged': 'onstart' } },
      spec: { group: 'apps', version: 'v1', groupPriorityMinimum: 17800, versionPriority: 15 },
      status: { conditions: [{ reason: 'Local', message: 'Local APIServices are always available' }] },
    });
    expect((await call('GET', `${API_SERVICES}/v1.apiregistration.platform.io`)).status).toBe(404);
  });

  it('that leads the core group elsewhere has no effect', async () => {
    const spec = { service: { namespace: 'default', name: 'backend' }, insecureSkipTLSVerify: true };
    expect((await call('PATCH', `${API_SERVICES}/v1.`, { spec })).status).toBe(200);
    expect((await call('GET', '/api/v1/namespaces/default')).body.kind).toBe('Namespace');
    await call('PATCH', `${API_SERVICES}/v1.`, { spec: { service: null, insecureSkipTLSVerify: null } });
  });
});

it.each([
  ['a\nb', []],
  ['a', Array.from({ length: 300 }, (_, at) => `group-${at}-${'x'.repeat(40)}`)],
])('a user whom headers cannot tell is refused: %j', async (user, groups) => {
  const as = { user, groups: ['system:masters', ...groups] };
  const { status } = await front.plane.server.inject({ method: 'GET', target: `${VERSION}/samples`, as });
  expect(status).toBe(400);
});
