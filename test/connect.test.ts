import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestAuthority } from './support/certificates.ts';
import { type Answer, type Headers, http2Client, tlsOptions } from './support/client.ts';
import { StandIn, shoutBack } from './support/stand-in.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';
import { askForUpgrade, readBytes, upgraded } from './support/upgrade.ts';

let directory: string;
let plane: TestServer;
/** A node, and what runs in the pods of this file, whose addresses lead to it whatever the port. */
let node: StandIn;
let inside: StandIn;

const POD_NETWORK = '10.1.';
/** An address where nobody listens. */
const NOBODY = '10.1.0.99';

beforeAll(async () => {
  directory = await makeDirectory();
  const authority = new TestAuthority('nodes');
  const files = ['ca.crt', 'client.crt', 'client.key'].map((name) => join(directory, name));
  const [ca = '', certificate = '', key = ''] = files;
  const { clientCertificate, clientKey } = authority.client({ commonName: 'the-server' });
  await Promise.all([
    writeFile(ca, authority.pem),
    writeFile(certificate, clientCertificate),
    writeFile(key, clientKey),
  ]);
  node = await StandIn.open(authority);
  inside = await StandIn.open();
  const free = await StandIn.open();
  const freePort = free.port;
  await free.close();
  plane = await startTestServer({
    kubeletCertificateAuthority: ca,
    kubeletClientCertificate: certificate,
    kubeletClientKey: key,
    network: {
      locate(place) {
        if (place.host === NOBODY) return { host: '127.0.0.1', port: freePort };
        return place.host.startsWith(POD_NETWORK) ? { host: '127.0.0.1', port: inside.port } : place;
      },
    },
  });
  await make('/api/v1/nodes', { metadata: { name: 'n1' }, ...nodeAt(node.port) });
  await make('/api/v1/nodes', { metadata: { name: 'gone' }, ...nodeAt(freePort) });
  await makePod('web', { nodeName: 'n1' }, '10.1.0.1');
  await makePod('other', { nodeName: 'n1', containers: ['a', 'b'].map(container) }, '10.1.0.2');
  await makePod('lost', { nodeName: 'gone' }, NOBODY);
  await makePod('waiting', {});
});

afterAll(async () => {
  await plane.close();
  await Promise.all([node.close(), inside.close(), removeDirectory(directory)]);
});

const nodeAt = (port: number) => ({
  status: {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
  },
});

const container = (name: string) => ({ name, image: 'example/main:1', ports: [{ containerPort: 8080 }] });

const PODS = '/api/v1/namespaces/default/pods';

const call = (method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Answer> =>
  plane.admin.request(method, path, body, headers);

async function make(path: string, body: object): Promise<void> {
  const answer = await call('POST', path, body);
  expect(answer.status, answer.text).toBe(201);
}

async function makePod(name: string, spec: object, podIP = ''): Promise<void> {
  await make(PODS, { metadata: { name, labels: { app: name } }, spec: { containers: [container('main')], ...spec } });
  if (podIP === '') return;
  const status = { phase: 'Running', podIP, podIPs: [{ ip: podIP }] };
  expect((await call('PATCH', `${PODS}/${name}/status`, { status })).status).toBe(200);
}

describe('a log', () => {
  it('is what the node says, asked for in its words and with its credentials', async () => {
    node.answer = (_request, response) => response.end('one\ntwo\n');
    const query = 'follow=true&tailLines=2&sinceTime=2030-01-01T00:00:00Z&limitBytes=9&timestamps=1&previous=false';
    const log = await call('GET', `${PODS}/web/log?${query}`, undefined, { authorization: 'Bearer secret' });
    expect(log).toMatchObject({ status: 200, text: 'one\ntwo\n', headers: { 'content-type': 'text/plain' } });
    const asked = new URL(node.latest.url ?? '', 'https://node');
    expect(asked.pathname).toBe('/containerLogs/default/web/main');
    expect(Object.fromEntries(asked.searchParams)).toEqual({
      ...{ follow: 'true', timestamps: 'true', sinceTime: '2030-01-01T00:00:00Z', tailLines: '2', limitBytes: '9' },
    });
    expect(node.client).toBe('the-server');
    expect(node.latest.headers.authorization).toBeUndefined();
  });

  it('comes as it is written, and the node learns when nobody reads it any more', async () => {
    node.answer = (_request, response) => void response.write('first\n');
    const { hostname, port } = new URL(plane.connection.server);
    const path = `${PODS}/web/log?follow=1`;
    const reading = request({ hostname, port, path, agent: false, ...tlsOptions(plane.connection) }).end();
    const [incoming] = await once(reading, 'response');
    const [part] = await once(incoming, 'data');
    expect(String(part)).toBe('first\n');
    const closed = once(node.latest.socket, 'close');
    reading.destroy();
    await closed;
  });

  it('of a pod without a node is empty', async () => {
    expect(await call('GET', `${PODS}/waiting/log`)).toMatchObject({ status: 204, text: '' });
  });

  it.each([
    ['web', 'container=x', 400, 'container x is not valid for pod web'],
    ['other', '', 400, 'a container name must be specified for pod other, choose one of: [a b]'],
    ['web', 'tailLines=x', 400, 'the query is no PodLogOptions: tailLines: expected'],
    [
      'web',
      'tailLines=-1&limitBytes=0&sinceSeconds=0',
      422,
      'PodLogOptions "web" is invalid: [tailLines: Invalid value: -1',
    ],
    ['web', 'sinceSeconds=1&sinceTime=2030-01-01T00:00:00Z', 422, 'at most one of `sinceTime` or `sinceSeconds`'],
    ['nobody', '', 404, 'pods "nobody" not found'],
    ['lost', '', 500, 'connect ECONNREFUSED'],
  ])('of %s with %j is refused', async (pod, query, status, message) => {
    const refusal = await call('GET', `${PODS}/${pod}/log?${query}`);
    expect(refusal.body).toMatchObject({ kind: 'Status', code: status, message: expect.stringContaining(message) });
    expect(refusal.status).toBe(status);
  });

  it.each([
    [400, 'container is starting', 400, 'BadRequest', 'container is starting'],
    [404, 'no such pod', 404, 'NotFound', 'the server could not find the requested resource ( pods/log web)'],
    [500, 'broken', 500, 'InternalError', 'Internal error occurred: broken'],
    [302, '', 500, 'InternalError', 'the node answered 302'],
  ])('that the node refuses with %i is refused', async (status, text, code, reason, message) => {
    node.answer = (_request, response) => response.writeHead(status, { location: 'https://elsewhere/' }).end(text);
    const { body } = await call('GET', `${PODS}/web/log`);
    expect(body).toMatchObject({ code, reason, message: expect.stringContaining(message) });
  });
});

describe('a conversation with a container', () => {
  it.each([
    [
      'POST',
      'exec?command=sh&command=-c&command=a%20b&stdin=true&tty=1',
      '/exec/default/web/main?input=1&tty=1&command=sh&command=-c&command=a+b',
    ],
    ['GET', 'attach?stdout=true&stderr=true&container=main', '/attach/default/web/main?output=1&error=1'],
    ['POST', 'portforward?ports=80&ports=443', '/portForward/default/web?port=80%2C443'],
    ['GET', 'portforward', '/portForward/default/web'],
  ])('over %s %s is carried both ways', async (method, path, expected) => {
    node.upgrade = shoutBack;
    const { socket, headers } = await upgraded(plane.connection, method, `${PODS}/web/${path}`, {
      ...{
        authorization: 'Bearer secret',
        'impersonate-user': 'admin',
        'impersonate-group': 'system:masters',
        'sec-websocket-protocol': 'v4.channel.platform.io',
      },
    });
    expect(headers).toMatchObject({ upgrade: 'echo', 'audit-id': expect.any(String) });
    expect(node.latest).toMatchObject({ method, url: expected });
    expect(node.latest.headers).not.toHaveProperty('authorization');
    expect(node.latest.headers).not.toHaveProperty('impersonate-user');
    expect(node.latest.headers['sec-websocket-protocol']).toBe('v4.channel.platform.io');
    expect(node.client).toBe('the-server');
    socket.write('hello, ');
    expect(await readBytes(socket, 7)).toBe('HELLO, ');
    socket.end('world');
    expect(await readBytes(socket)).toBe('WORLD');
  });

  it('loses nothing, however slowly either side reads', async () => {
    node.upgrade = shoutBack;
    const { socket } = await upgraded(plane.connection, 'POST', `${PODS}/web/attach`);
    const length = 3_000_000;
    socket.end('x'.repeat(length));
    expect((await readBytes(socket)) === 'X'.repeat(length)).toBe(true);
  });

  it('ends for the node when the client goes, and for the client when the node does', async () => {
    node.upgrade = shoutBack;
    const first = await upgraded(plane.connection, 'POST', `${PODS}/web/attach`);
    const nodeSide = node.latest.socket;
    first.socket.destroy();
    await once(nodeSide, 'close');
    const second = await upgraded(plane.connection, 'POST', `${PODS}/web/attach`);
    node.latest.socket.destroy();
    expect(await readBytes(second.socket)).toBe('');
  });

  it.each([
    ['exec', 400, 'Upgrade request required'],
    ['attach', 400, 'Upgrade request required'],
    ['portforward', 400, 'Upgrade request required'],
  ])('is not begun by a plain request for %s, which shows nothing of the pod', async (subresource, status, message) => {
    for (const method of ['GET', 'POST']) {
      const { body } = await call(method, `${PODS}/web/${subresource}`);
      expect(body).toMatchObject({ kind: 'Status', code: status, message });
    }
    expect((await call('PUT', `${PODS}/web/${subresource}`)).status).toBe(405);
    expect((await call('GET', `${PODS}/web/${subresource}/more`)).status).toBe(404);
  });

  it.each([
    ['waiting', 400, 'pod waiting does not have a host assigned'],
    ['other', 400, 'a container name must be specified for pod other, choose one of: [a b]'],
    ['lost', 500, 'error dialing backend: connect ECONNREFUSED'],
  ])('with %s is refused', async (pod, status, message) => {
    const refusal = await askForUpgrade(plane.connection, 'POST', `${PODS}/${pod}/exec?command=sh`);
    if ('socket' in refusal) throw new Error('it was granted');
    expect(refusal.body).toMatchObject({ code: status, message: expect.stringContaining(message) });
    expect(refusal.headers.connection).toBe('close');
  });

  it('that the node refuses is refused in its words', async () => {
    node.upgrade = (_request, socket) => socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 8\r\n\r\nnot you\n');
    expect(await askForUpgrade(plane.connection, 'POST', `${PODS}/web/exec`)).toMatchObject({
      status: 403,
      text: 'not you\n',
    });
  });
});

describe('an upgrade of anything else', () => {
  it('is not granted: the request is answered as if it had not asked', async () => {
    const answer = await askForUpgrade(plane.connection, 'GET', `${PODS}/web`);
    expect(answer).toMatchObject({ status: 200, body: { kind: 'Pod' }, headers: { connection: 'close' } });
  });

  it('cannot have a body', async () => {
    const answer = await askForUpgrade(plane.connection, 'POST', PODS, { 'content-length': '2' });
    expect(answer).toMatchObject({ status: 400 });
  });
});

describe('a proxy', () => {
  const SERVICES = '/api/v1/namespaces/default/services';

  beforeAll(async () => {
    const ports = [{ name: 'http', port: 80, targetPort: 8080 }];
    await make(SERVICES, { metadata: { name: 'shop' }, spec: { ports } });
    const targetRef = { kind: 'Pod', namespace: 'default', name: 'web' };
    const addresses = [{ ip: '10.1.0.1', targetRef }, { ip: '10.1.0.7' }, { ip: '10.1.0.8', targetRef }];
    await make('/api/v1/namespaces/default/endpoints', {
      metadata: { name: 'shop' },
      subsets: [{ addresses, ports: [{ name: 'http', port: 8080 }] }],
    });
    await make(SERVICES, { metadata: { name: 'empty' }, spec: { ports } });
    await make('/api/v1/namespaces/default/endpoints', {
      metadata: { name: 'empty' },
      subsets: [{ addresses: [{ ip: '10.1.0.9' }], ports: [{ name: 'http', port: 8080 }] }],
    });
  });

  /** Says what it was asked. */
  const tell: StandIn['answer'] = async ({ method, url, headers: { host } }, response) => {
    response.writeHead(203, {
      'x-own': 'yes',
      'access-control-allow-origin': '*',
      connection: 'x-tied',
      'x-tied': '1',
    });
    response.end(`${method} ${host} ${url}`);
  };

  it.each([
    [`${PODS}/web/proxy/a/b?c=d&watch=true`, '10.1.0.1:8080 /a/b?c=d&watch=true'],
    [`${PODS}/web:99/proxy/`, '10.1.0.1:99 /'],
    [`${PODS}/http:web:/proxy/x/`, '10.1.0.1:8080 /x/'],
    [`${PODS}/web/proxy/a//./b/%2e%2e/c%2Fd/../..//e%20f`, '10.1.0.1:8080 /e%20f'],
    [`${SERVICES}/shop:http/proxy/x`, '10.1.0.1:8080 /x'],
    [`${SERVICES}/http:shop:80/proxy/x`, '10.1.0.1:8080 /x'],
  ])('passes %s on to %s', async (path, expected) => {
    inside.answer = tell;
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const answer = await call(method, path);
      expect(answer).toMatchObject({ status: 203, text: `${method} ${expected}`, headers: { 'x-own': 'yes' } });
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
      expect(answer.headers).not.toHaveProperty('x-tied');
    }
    expect(await call('HEAD', path)).toMatchObject({ status: 203, text: '' });
  });

  it('passes on to the service of a node, which the server shows its certificate', async () => {
    node.answer = tell;
    const { text } = await call('GET', `/api/v1/nodes/n1:${node.port}/proxy/stats?x=1`);
    expect(text).toBe(`GET 127.0.0.1:${node.port} /stats?x=1`);
    expect(node.client).toBe('the-server');
    expect((await call('GET', '/api/v1/nodes/https:n1:/proxy/pods')).text).toBe(`GET 127.0.0.1:${node.port} /pods`);
  });

  it('sends headers on, but none that says who asks or belongs to the connection', async () => {
    inside.answer = tell;
    await call('POST', `${PODS}/web/proxy/x`, 'body', {
      ...{ authorization: 'Bearer secret', 'impersonate-group': 'system:masters', te: 'trailers', cookie: 'a=b' },
      ...{ connection: 'keep-alive, x-mine', 'x-mine': '1', 'x-kept': ['1', '2'], 'x-forwarded-host': 'spoofed' },
      'impersonate-user': 'admin',
    });
    const { headers } = inside.latest;
    expect(headers).toMatchObject({
      ...{ cookie: 'a=b', 'x-kept': '1, 2', 'content-type': 'application/json', 'content-length': '4' },
      ...{ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https', 'x-forwarded-uri': `${PODS}/web/proxy/x` },
    });
    for (const name of ['authorization', 'impersonate-user', 'impersonate-group', 'te', 'x-mine']) {
      expect(headers).not.toHaveProperty(name);
    }
    expect(headers['x-forwarded-host']).toBe(new URL(plane.connection.server).host);
  });

  it.each(['HTTP/1.1', 'HTTP/2'])('streams large bodies both ways over %s', async (protocol) => {
    inside.answer = (incoming, response) => void incoming.pipe(response);
    const client = protocol === 'HTTP/2' ? http2Client(plane.connection) : plane.admin;
    const body = Buffer.alloc(5_000_000, 'all work and no play ');
    const answer = await client.request('PUT', `${PODS}/web/proxy/`, body);
    if (client !== plane.admin) client.close();
    expect(answer.status).toBe(200);
    expect(answer.bytes.equals(body)).toBe(true);
  });

  it('asks a client for its body that waits to be asked', async () => {
    inside.answer = (incoming, response) => void incoming.pipe(response);
    const { hostname, port } = new URL(plane.connection.server);
    const headers = { expect: '100-continue', 'content-length': '5' };
    const options = { method: 'POST', path: `${PODS}/web/proxy/`, headers, agent: false } as const;
    const waiting = request({ hostname, port, ...options, ...tlsOptions(plane.connection) });
    waiting.flushHeaders();
    await once(waiting, 'continue');
    waiting.end('hello');
    const [incoming] = await once(waiting, 'response');
    expect(await readBytes(incoming)).toBe('hello');
    expect(inside.latest.headers).not.toHaveProperty('expect');
  });

  it('leads the root page to a path that ends in a slash', async () => {
    const location = `${PODS}/web/proxy/?a=b`;
    expect(await call('GET', `${PODS}/web/proxy?a=b`)).toMatchObject({ status: 301, headers: { location } });
  });

  it('keeps redirects of the target within the proxy', async () => {
    const redirects = {
      '/abs': '/login?x',
      '/full': 'http://10.1.0.1:8080/login',
      '/rel': 'login',
      '/out': 'https://example.org/',
    };
    inside.answer = ({ url = '' }, response) =>
      response.writeHead(302, { location: Object.entries(redirects).find(([path]) => path === url)?.[1] }).end();
    const seen = await Promise.all(
      Object.keys(redirects).map(async (path) => (await call('GET', `${PODS}/web/proxy${path}`)).headers.location),
    );
    expect(seen).toEqual([`${PODS}/web/proxy/login?x`, `${PODS}/web/proxy/login`, 'login', 'https://example.org/']);
  });

  it('carries upgrades too', async () => {
    inside.upgrade = shoutBack;
    const { socket } = await upgraded(plane.connection, 'GET', `${PODS}/web/proxy/ws`);
    socket.end('ping');
    expect(await readBytes(socket)).toBe('PING');
  });

  it('gives up a target that hangs once its client has', async () => {
    inside.answer = () => {};
    const before = inside.received.length;
    const { hostname, port } = new URL(plane.connection.server);
    const path = `${PODS}/web/proxy/`;
    const hanging = request({ hostname, port, path, agent: false, ...tlsOptions(plane.connection) });
    hanging.on('error', () => {}).end();
    await expect.poll(() => inside.received.length).toBe(before + 1);
    const closed = once(inside.latest.socket, 'close');
    hanging.destroy();
    await closed;
  });

  it('tells a target that breaks off from one that is done', async () => {
    inside.answer = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setTimeout(() => response.destroy(), 10);
    };
    await expect(call('GET', `${PODS}/web/proxy/`)).rejects.toThrow();
  });

  it.each([
    [`${PODS}/lost/proxy/`, 503, 'error trying to reach service: connect ECONNREFUSED'],
    [`${PODS}/waiting/proxy/`, 400, 'address not allowed'],
    [`${PODS}/ftp:web:1/proxy/`, 400, 'invalid pod request "ftp:web:1"'],
    [`${PODS}/a:b:c:d/proxy/`, 400, 'invalid pod request "a:b:c:d"'],
    [`${PODS}/nobody/proxy/`, 404, 'pods "nobody" not found'],
    [`${SERVICES}/shop:81/proxy/`, 503, 'no service port 81 found for service "shop"'],
    [`${SERVICES}/shop:dns/proxy/`, 503, 'no endpoints available for service "shop:dns"'],
    [`${SERVICES}/empty:80/proxy/`, 503, 'no endpoints available for service "empty:80"'],
    [`${SERVICES}/nothing/proxy/`, 404, 'endpoints "nothing" not found'],
    ['/api/v1/nodes/gone/proxy/', 503, 'error trying to reach service: connect ECONNREFUSED'],
    ['/api/v1/nodes/n9/proxy/', 404, 'nodes "n9" not found'],
  ])('to %s is refused with %i', async (path, status, message) => {
    const refusal = await call('GET', path);
    expect(refusal.body).toMatchObject({ kind: 'Status', code: status, message: expect.stringContaining(message) });
    expect(refusal.status).toBe(status);
  });

  it('does not lead to this machine or its link, whatever a pod or a node says of its address', async () => {
    await makePod('local', { nodeName: 'n1' }, '127.0.0.1');
    await makePod('link', { nodeName: 'n1' }, '169.254.169.254');
    const addresses = [{ type: 'Hostname', address: 'localhost' }];
    await make('/api/v1/nodes', { metadata: { name: 'here' }, status: { addresses } });
    const port = inside.port;
    for (const path of [
      ...[`${PODS}/local:${port}`, `${PODS}/link:80`],
      ...[`/api/v1/nodes/http:n1:${port}`, `/api/v1/nodes/http:here:${port}`],
    ]) {
      expect((await call('GET', `${path}/proxy/`)).body).toMatchObject({ code: 400, message: 'address not allowed' });
    }
  });
});

describe('who may connect', () => {
  it('is decided by the verb of the method and the subresource, and by admission', async () => {
    node.upgrade = shoutBack;
    const as = { 'impersonate-user': 'eve' };
    const denied = await askForUpgrade(plane.connection, 'POST', `${PODS}/web/exec`, as);
    expect(denied).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('cannot create resource "pods/exec"') },
    });
    const proxied = await call('DELETE', `${PODS}/web/proxy/x?watch=1`, undefined, as);
    expect(proxied.body.message).toContain('cannot delete resource "pods/proxy"');
    expect((await call('GET', '/api/v1/nodes/n1/proxy//x', undefined, as)).body.message).toContain(
      'cannot get resource "nodes/proxy"',
    );
  });
});

describe('a connection', () => {
  it('is counted as one, for as long as it is open', async () => {
    node.upgrade = shoutBack;
    const { socket } = await upgraded(plane.connection, 'POST', `${PODS}/web/portforward`);
    const reading = async (): Promise<string | undefined> => {
      const lines = (await call('GET', '/metrics')).text.split('\n');
      const labels = ['apiserver_longrunning_requests{', 'verb="CONNECT"', 'subresource="portforward"'];
      return lines
        .find((line) => labels.every((label) => line.includes(label)))
        ?.split(' ')
        .at(-1);
    };
    expect(await reading()).toBe('1');
    socket.end();
    await readBytes(socket);
    await expect.poll(reading).toBe('0');
  });

  it('does not hold up a server that stops', async () => {
    const stopping = await startTestServer();
    const { admin, connection } = stopping;
    await admin.request('POST', '/api/v1/nodes', { metadata: { name: 'n1' }, ...nodeAt(node.port) });
    const spec = { nodeName: 'n1', containers: [container('main')] };
    await admin.request('POST', PODS, { metadata: { name: 'web' }, spec });
    node.upgrade = shoutBack;
    node.answer = (_request, response) => void response.write('first\n');
    const { socket } = await upgraded(connection, 'POST', `${PODS}/web/attach`);
    const log = admin.request('GET', `${PODS}/web/log?follow=1`).catch(() => undefined);
    await expect.poll(() => node.latest.url).toContain('/containerLogs/');
    const before = performance.now();
    await Promise.all([stopping.close(), readBytes(socket), log]);
    // Connections that must be broken off are given ten seconds.
    expect(performance.now() - before).toBeLessThan(9_000);
  });
});
