import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AggregatedPlane, API_SERVICES, GROUP, NAME, serving, VERSION } from './support/aggregated-plane.ts';
import { TestAuthority } from './support/certificates.ts';
import type { Answer } from './support/client.ts';
import { insist } from './support/patience.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';

/** What the server behind an APIService can do to the one in front of it. */

const AGGREGATED = { accept: 'application/json;g=apidiscovery.platform.io;v=v2;as=APIGroupDiscoveryList' };

let front: AggregatedPlane;
let runtime: ShiftableRuntime;
/** Where requests for the service lead, if not to the backend. */
let elsewhere: number | undefined;

beforeEach(async () => {
  runtime = new ShiftableRuntime();
  elsewhere = undefined;
  front = await AggregatedPlane.start({
    runtime,
    network: {
      locate: (place) =>
        place.host.startsWith('10.1.') ? { host: '127.0.0.1', port: elsewhere ?? front.backend.port } : place,
    },
  });
});

afterEach(() => front.close());

const call = (method: string, path: string, headers = {}): Promise<Answer> =>
  front.plane.admin.request(method, path, undefined, headers);

async function registered(): Promise<void> {
  await front.makeService();
  await front.makeEndpoints();
  await front.register();
}

async function freshness(): Promise<string | undefined> {
  const { items } = (await call('GET', '/apis', AGGREGATED)).body as unknown as {
    items: { metadata: { name: string }; versions: { freshness: string }[] }[];
  };
  return items.find(({ metadata }) => metadata.name === GROUP)?.versions[0]?.freshness;
}

/** Everything else goes on: reads, writes, discovery of the others. */
async function expectOthersServed(): Promise<void> {
  const [pods, groups, whole] = await Promise.all([
    call('GET', '/api/v1/namespaces/default/pods'),
    call('GET', '/apis'),
    call('GET', '/apis', AGGREGATED),
  ]);
  expect([pods.status, groups.status, whole.status]).toEqual([200, 200, 200]);
  expect(groups.text).toContain('"apps"');
  expect(whole.text).toContain('deployments');
}

it('the condition says what is missing, step by step, and the version is available when nothing is', async () => {
  await front.register();
  expect(await front.untilReason('ServiceNotFound')).toMatchObject({
    ...{ type: 'Available', status: 'False', message: 'service/backend in "default" is not present' },
  });
  expect((await call('GET', VERSION)).body).toMatchObject({ code: 503, reason: 'ServiceUnavailable' });
  await front.makeService(8080);
  const wrongPort = await front.untilReason('ServicePortError');
  expect(wrongPort.message).toBe('service/backend in "default" is not listening on port 443');
  const services = '/api/v1/namespaces/default/services';
  await front.plane.admin.request('PATCH', `${services}/backend`, { spec: { ports: [{ port: 443 }] } });
  const noEndpoints = await front.untilReason('EndpointsNotFound');
  expect(noEndpoints.message).toBe('cannot find endpoints for service/backend in "default"');
  await front.make('/api/v1/namespaces/default/endpoints', { metadata: { name: 'backend' }, subsets: [] });
  const empty = await front.untilReason('MissingEndpoints');
  expect(empty.message).toBe('endpoints for service/backend in "default" have no addresses with port name ""');
  expect(empty.lastTransitionTime).toBe(wrongPort.lastTransitionTime);
  await call('DELETE', '/api/v1/namespaces/default/endpoints/backend');
  await front.makeEndpoints();
  expect(await front.untilReason('Passed')).toMatchObject({ status: 'True', message: 'all checks passed' });
  expect((await call('GET', VERSION)).status).toBe(200);
  await call('DELETE', '/api/v1/namespaces/default/services/backend');
  await front.untilReason('ServiceNotFound');
  expect((await call('GET', VERSION)).status).toBe(503);
});

it('slices of endpoints are as good as endpoints', async () => {
  await front.makeService();
  await front.register();
  await front.untilReason('EndpointsNotFound');
  await front.make('/apis/discovery.platform.io/v1/namespaces/default/endpointslices', {
    metadata: { name: 'backend-1', labels: { 'platform.io/service-name': 'backend' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.1.0.1'] }],
    ports: [{ name: '', port: 8443 }],
  });
  await front.untilReason('Passed');
});

it('a certificate of someone else is not accepted, unless the APIService says so', async () => {
  await front.makeService();
  await front.makeEndpoints();
  await front.register({ caBundle: Buffer.from(front.plane.connection.ca ?? '').toString('base64') });
  await front.untilReason('FailedDiscoveryCheck');
  const spec = { caBundle: null, insecureSkipTLSVerify: true };
  await front.plane.admin.request('PATCH', `${API_SERVICES}/${NAME}`, { spec });
  await front.untilReason('Passed');
});

it('another certificate is shown from when its files change, unless they are of no use', async () => {
  await registered();
  await front.untilReason('Passed');
  front.backend.answer = serving((_request, response) => response.end('{}'));
  const [certificate, key] = front.proxyFiles;
  const shown = async (): Promise<string> => {
    await call('GET', `${VERSION}/samples`);
    return front.backend.client;
  };
  expect(await shown()).toBe('front-proxy');
  const { clientCertificate, clientKey } = new TestAuthority('others').client({ commonName: 'another' });
  await Promise.all([writeFile(certificate, clientCertificate), writeFile(key, clientKey)]);
  await insist(async () => {
    runtime.advance(5_000);
    expect(await shown()).toBe('another');
  });
  await writeFile(certificate, 'nonsense');
  for (let looks = 0; looks < 3; looks++) {
    runtime.advance(5_000);
    expect(await shown()).toBe('another');
  }
});

describe('a server behind an APIService that', () => {
  it('is killed makes the version unavailable, and stale in discovery, until it is back', async () => {
    await registered();
    await front.untilReason('Passed');
    expect(await freshness()).toBe('Current');
    const closed = await freePort();
    elsewhere = closed;
    expect((await call('GET', `${VERSION}/samples`)).status).toBe(503);
    runtime.advance(30_000);
    await front.untilReason('FailedDiscoveryCheck');
    expect(await freshness()).toBe('Stale');
    expect((await call('GET', '/apis', AGGREGATED)).text).toContain('"samples"');
    expect((await call('GET', `${VERSION}/samples`)).body.message).toBe('service unavailable');
    await expectOthersServed();
    elsewhere = undefined;
    await front.untilReason('Passed');
    await insist(async () => expect(await freshness()).toBe('Current'));
  });

  it('hangs is given some seconds, and holds up nothing else', async () => {
    await registered();
    await front.untilReason('Passed');
    front.backend.answer = () => {};
    const reading = call('GET', `${VERSION}/samples?timeout=1s`);
    const discovery = call('GET', '/apis', AGGREGATED);
    await insist(() => expect(front.backend.received.filter(({ url }) => url === VERSION).length).toBeGreaterThan(2));
    expect((await reading).body).toMatchObject({ code: 504, reason: 'Timeout' });
    runtime.advance(5_000);
    expect((await discovery).status).toBe(200);
    runtime.advance(30_000);
    await front.untilReason('FailedDiscoveryCheck', 'timed out waiting', () => runtime.advance(5_000));
    await expectOthersServed();
  });

  it('answers 500 is not available', async () => {
    front.backend.answer = (_request, response) => response.writeHead(500).end();
    await registered();
    const { message } = await front.untilReason('FailedDiscoveryCheck');
    expect(message).toContain(`bad status from https://backend.default.svc:443${VERSION}: 500`);
    await expectOthersServed();
  });

  it('redirects is not available, and nobody goes there', async () => {
    front.backend.answer = (_request, response) => response.writeHead(302, { location: VERSION }).end();
    await registered();
    expect((await front.untilReason('FailedDiscoveryCheck')).message).toContain(': 302');
    await expectOthersServed();
  });

  it('never stops sending is read no further than its answer may be long, and relayed at the pace of who reads', async () => {
    let sent = 0;
    const block = Buffer.alloc(64 * 1024, ' ');
    front.backend.answer = (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        while (!response.destroyed && response.write(block)) sent += block.length;
        response.once('drain', more);
      };
      if (request.method === 'GET') more();
    };
    await registered();
    await front.untilReason('Passed');
    expect(await freshness()).toBe('Stale');
    expect(sent).toBeLessThan(64 * 1024 * 1024);
    await expectOthersServed();
  });

  it('relays a body without end sends no more than its reader takes, and is let go of when the reader has gone', async () => {
    await registered();
    await front.untilReason('Passed');
    const [idle, eager] = [endlessBody(), endlessBody()];
    front.backend.answer = serving((request, response) =>
      (request.url?.endsWith('/idle') ? idle : eager).answer(request, response),
    );
    const reader = await openReader(`${VERSION}/samples/idle`);
    await idle.begun;
    // What a reader who takes all is sent meanwhile says how much the idle one would have been sent.
    const other = await openReader(`${VERSION}/samples/eager`);
    other.resume();
    await insist(() => expect(eager.sent()).toBeGreaterThan(4 * RELAYED_AT_MOST));
    expect(idle.sent()).toBeLessThan(RELAYED_AT_MOST);
    await expectOthersServed();
    for (const [gone, body] of [[reader, idle] as const, [other, eager] as const]) {
      gone.destroy();
      await body.closed;
    }
    await expectOthersServed();
  });

  it('stops in the middle of a body is let go of when the reader has gone, and before that holds up nobody else', async () => {
    await registered();
    await front.untilReason('Passed');
    let closed: Promise<unknown> | undefined;
    const begun = new Promise<void>((resolve) => {
      front.backend.answer = serving((_request, response) => {
        closed = once(response, 'close');
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
        response.write('{"half":');
        resolve();
      });
    });
    const reader = await openReader(`${VERSION}/samples`);
    await begun;
    let text = '';
    reader.on('data', (part: Buffer) => {
      text += part;
    });
    reader.resume();
    await insist(() => expect(text).toContain('{"half":'));
    await expectOthersServed();
    reader.destroy();
    await closed;
    await expectOthersServed();
  });

  it('speaks another protocol, or sends headers without end, is not available', async () => {
    const speaker = await openSpeaker((write) => write('SSH-2.0-OpenSSH_9.2\r\n'));
    elsewhere = (speaker.address() as AddressInfo).port;
    await registered();
    await front.untilReason('FailedDiscoveryCheck', ': wrong version number');
    await expectOthersServed();
    speaker.close();
    elsewhere = undefined;
    front.backend.answer = (_request, response) => {
      for (let at = 0; at < 400; at++) response.setHeader(`x-${at}`, 'y'.repeat(100));
      response.end();
    };
    await front.untilReason('FailedDiscoveryCheck', 'Header overflow');
    await expectOthersServed();
  });

  it('changes the protocol unasked is let go of, whatever it was asked', async () => {
    let closed = 0;
    let switched = 0;
    const switching: RequestListener = (_request, { socket }) => {
      switched++;
      socket?.once('close', () => closed++);
      socket?.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n');
    };
    await registered();
    await front.untilReason('Passed');
    front.backend.answer = serving(switching);
    const answers = await Promise.all(['GET', 'POST', 'DELETE'].map((method) => call(method, `${VERSION}/samples`)));
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(answers[0]?.text).toContain('changes the protocol unasked');
    front.backend.answer = switching;
    // A look that is under way when its time is over says no more than that: the next has time to come to its end.
    let looks = 0;
    const nowAndThen = () => looks++ % 100 === 0 && runtime.advance(31_000);
    await front.untilReason('FailedDiscoveryCheck', 'the protocol was changed unasked', nowAndThen);
    await expectOthersServed();
    front.backend.answer = serving();
    await insist(() => expect(closed).toBe(switched));
  });

  it('lists what is no list of resources stays without any', async () => {
    front.backend.answer = (_request, response) => response.end('{"kind":"APIResourceList","groupVersion":"apps/v1"}');
    await registered();
    await front.untilReason('Passed');
    expect(await freshness()).toBe('Stale');
    front.backend.answer = serving();
    runtime.advance(31_000);
    await insist(async () => expect(await freshness()).toBe('Current'));
  });
});

/** More than all buffers on the way together: of the backend, of the server, and of the two connections. */
const RELAYED_AT_MOST = 32 * 1024 * 1024;

/** A body that goes on for as long as somebody takes it. */
function endlessBody() {
  const block = Buffer.alloc(64 * 1024, ' ');
  let sent = 0;
  let begin = (): void => {};
  let end = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const closed = new Promise<void>((resolve) => {
    end = resolve;
  });
  const answer: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.once('close', end);
    const more = (): void => {
      // A block at a turn: a backend that never waits would keep everyone else in this process from theirs.
      if (response.destroyed) return;
      sent += block.length;
      if (response.write(block)) setImmediate(more);
      else response.once('drain', more);
    };
    more();
    begin();
  };
  return { answer, begun, closed, sent: () => sent };
}

/** A connection of its own that asks for a path and takes nothing of the answer until it is told to. */
async function openReader(path: string): Promise<TLSSocket> {
  const { server, ca, clientCertificate, clientKey } = front.plane.connection;
  const { hostname, port } = new URL(server);
  const socket = connect({ host: hostname, port: Number(port), ca, cert: clientCertificate, key: clientKey });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
  return socket;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function openSpeaker(speak: (write: (text: string) => void) => void): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    speak((text) => socket.write(text));
    socket.once('data', () => socket.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
