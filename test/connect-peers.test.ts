import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Exec, KubeConfig, Log, PortForward } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestAuthority } from './support/certificates.ts';
import { describeKubectl, Kubectl } from './support/kubectl.ts';
import { StandIn } from './support/stand-in.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';
import { WebSocketPeer } from './support/web-socket.ts';

let directory: string;
let plane: TestServer;
let node: StandIn;
let inside: StandIn;

beforeAll(async () => {
  directory = await makeDirectory();
  node = await StandIn.open(new TestAuthority('nodes'));
  inside = await StandIn.open();
  plane = await startTestServer({
    ...{ vocabulary: 'kubernetes', dataDir: directory },
    network: { locate: (place) => (place.host === '10.1.0.1' ? { host: '127.0.0.1', port: inside.port } : place) },
  });
  const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }];
  const daemonEndpoints = { kubeletEndpoint: { Port: node.port } };
  await make('/api/v1/nodes', { metadata: { name: 'n1' }, status: { addresses, daemonEndpoints } });
  const containers = [{ name: 'main', image: 'example/main:1' }];
  await make('/api/v1/namespaces/default/pods', { metadata: { name: 'web' }, spec: { nodeName: 'n1', containers } });
  const status = { phase: 'Running', podIP: '10.1.0.1', podIPs: [{ ip: '10.1.0.1' }] };
  await plane.admin.request('PATCH', '/api/v1/namespaces/default/pods/web/status', { status });
  const targetRef = { kind: 'Pod', namespace: 'default', name: 'web' };
  await make('/api/v1/namespaces/default/services', { metadata: { name: 'shop' }, spec: { ports: [{ port: 80 }] } });
  await make('/api/v1/namespaces/default/endpoints', {
    metadata: { name: 'shop' },
    subsets: [{ addresses: [{ ip: '10.1.0.1', targetRef }], ports: [{ port: 8080 }] }],
  });
});

afterAll(async () => {
  await plane.close();
  await Promise.all([node.close(), inside.close(), removeDirectory(directory)]);
});

async function make(path: string, body: object): Promise<void> {
  const answer = await plane.admin.request('POST', path, body);
  expect(answer.status, answer.text).toBe(201);
}

describeKubectl('kubectl', (program) => {
  const kubectl = () => new Kubectl(program, directory, join(directory, 'admin.conf'));

  it('reads logs', async () => {
    node.answer = (_request, response) => response.end('hello from the node\n');
    expect(await kubectl().succeed('logs', 'web', '--tail=5', '--since=1m')).toBe('hello from the node\n');
    expect(node.latest.url).toBe('/containerLogs/default/web/main?sinceSeconds=60&tailLines=5');
  });

  it('follows logs until they end', async () => {
    node.answer = (_request, response) => {
      response.write('one\n');
      setTimeout(() => response.end('two\n'), 50);
    };
    expect(await kubectl().succeed('logs', '-f', 'web')).toBe('one\ntwo\n');
  });

  it('asks to exec in a protocol that the server only carries, and is told what the node says', async () => {
    node.upgrade = ({ headers }, socket) =>
      socket.end(`HTTP/1.1 403 Forbidden\r\nContent-Length: 17\r\n\r\nno ${headers.upgrade} today`);
    const { code, stderr } = await kubectl().run(['exec', 'web', '--', 'ls', '-l']);
    expect(code).toBe(1);
    expect(stderr).toContain('no SPDY/3.1 today');
    expect(node.latest.url).toBe('/exec/default/web/main?output=1&error=1&command=ls&command=-l');
  });

  it('looks behind a service and at a node', async () => {
    inside.answer = ({ url }, response) => response.end(`pod ${url}`);
    node.answer = ({ url }, response) => response.end(`node ${url}`);
    const services = '/api/v1/namespaces/default/services';
    expect(await kubectl().succeed('get', '--raw', `${services}/http:shop:80/proxy/path?x=y`)).toBe('pod /path?x=y');
    expect(await kubectl().succeed('get', '--raw', '/api/v1/nodes/n1/proxy/stats/summary')).toBe('node /stats/summary');
  });
});

describe('the JavaScript client', () => {
  const config = (): KubeConfig => {
    const found = new KubeConfig();
    found.loadFromString(plane.server.adminConfig);
    return found;
  };

  it('runs a command in a container', async () => {
    node.upgrade = (request, socket) => {
      const peer = new WebSocketPeer(request, socket, 'v4.channel.k8s.io');
      peer.onMessage = (message) => {
        peer.send(Buffer.concat([Buffer.of(1), Buffer.from(message.subarray(1).toString().toUpperCase())]));
        peer.send(Buffer.concat([Buffer.of(3), Buffer.from('{"status":"Success"}')]));
        peer.close();
      };
    };
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const printed = text(stdout);
    const done = new Promise<string | undefined>((resolve, reject) => {
      new Exec(config())
        .exec('default', 'web', 'main', ['tr', 'a-z', 'A-Z'], stdout, null, stdin, false, (status) =>
          resolve(status.status),
        )
        .catch(reject);
    });
    stdin.write('quiet');
    expect(await done).toBe('Success');
    expect(await printed).toBe('QUIET');
    const asked = 'input=1&output=1&command=tr&command=a-z&command=A-Z';
    expect(node.latest.url).toBe(`/exec/default/web/main?${asked}`);
  });

  it('forwards a port', async () => {
    node.upgrade = (request, socket) => {
      const peer = new WebSocketPeer(request, socket, 'v4.channel.k8s.io');
      // Each channel begins with the number of its port.
      for (const channel of [0, 1]) peer.send(Buffer.from([channel, 80, 0]));
      peer.onMessage = () => peer.send(Buffer.concat([Buffer.of(0), Buffer.from('pong')]));
    };
    const [input, output] = [new PassThrough(), new PassThrough()];
    const socket = await new PortForward(config()).portForward('default', 'web', [80], output, null, input);
    input.write('ping');
    expect(String(await new Promise((resolve) => output.once('data', resolve)))).toBe('pong');
    expect(node.latest.url).toBe('/portForward/default/web?port=80');
    if ('close' in socket) socket.close();
  });

  it('reads logs', async () => {
    node.answer = (_request, response) => response.end('hello');
    const output = new PassThrough();
    await new Log(config()).log('default', 'web', 'main', output, { tailLines: 1 });
    expect(await text(output)).toBe('hello');
  });
});
