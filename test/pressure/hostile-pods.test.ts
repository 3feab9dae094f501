import { once } from 'node:events';
import { connect as connectSecond } from 'node:http2';
import { request } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Duplex, Writable } from 'node:stream';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, http2Client, tlsOptions } from '../support/client.ts';
import { insist } from '../support/patience.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

/** What a pod may answer to requests that are put through to it: whoever may proxy chooses what runs in the pod. */

let plane: TestServer;
let behave: (socket: Socket) => void;
const open = new Set<Socket>();
const pod = createServer((socket) => {
  open.add(socket.on('error', () => {}).once('close', () => open.delete(socket)));
  socket.once('data', () => behave(socket)).resume();
});

beforeAll(async () => {
  pod.listen(0, '127.0.0.1');
  await once(pod, 'listening');
  const { port } = pod.address() as AddressInfo;
  plane = await startTestServer({
    network: { locate: (place) => (place.host.startsWith('10.1.') ? { host: '127.0.0.1', port } : place) },
  });
  const spec = { containers: [{ name: 'main', image: 'i' }] };
  await plane.admin.request('POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'p' }, spec });
  const status = { podIP: '10.1.0.1', podIPs: [{ ip: '10.1.0.1' }] };
  await plane.admin.request('PATCH', '/api/v1/namespaces/default/pods/p/status', { status });
});

afterAll(async () => {
  await plane.close();
  for (const socket of open) socket.destroy();
  pod.close();
});

const PROXY = '/api/v1/namespaces/default/pods/p:80/proxy/x';

/** The status of the answer, or that there was none. */
const tried = (client: Client, method: string): Promise<number> =>
  client.request(method, PROXY).then(
    ({ status }) => status,
    () => 0,
  );

/** Asks for another protocol; resolves when the connection is over. */
function upgrade(): Promise<unknown> {
  const { hostname, port } = new URL(plane.connection.server);
  const headers = { connection: 'Upgrade', upgrade: 'websocket' };
  const outgoing = request({ ...tlsOptions(plane.connection), hostname, port, path: PROXY, headers, agent: false });
  return new Promise((resolve) => {
    outgoing
      .on('upgrade', (_response, socket) => socket.on('error', resolve).on('close', resolve).resume())
      .on('response', (response) => response.on('error', resolve).on('close', resolve).resume())
      .on('error', resolve)
      .end();
  });
}

const line = (status: string, ...headers: string[]): string => `HTTP/1.1 ${[status, ...headers].join('\r\n')}\r\n\r\n`;
const EMPTY = 'Content-Length: 0';
const SWITCHED = line('101 x', 'Connection: Upgrade', 'Upgrade: websocket');

const says = (text: string) => (socket: Socket) => void socket.end(text, 'latin1');
const breaks = (text: string) => (socket: Socket) => void socket.write(text, 'latin1', () => socket.resetAndDestroy());

describe('a pod', () => {
  it.each<[string, (socket: Socket) => void]>([
    ['changes the protocol', says(SWITCHED)],
    ['changes the protocol and breaks off', breaks(SWITCHED)],
    ['changes the protocol, and says more at once', breaks(`${SWITCHED}${'\x81\x7f'.repeat(10_000)}`)],
    ['changes the protocol to none', says(line('101 x'))],
    ['changes the protocol to two', says(line('101 x', 'Connection: Upgrade', 'Upgrade: a', 'Upgrade: b'))],
    ['has a status below all', says(line('000 x', EMPTY))],
    ['has a status that is not there', says(line('099 x', EMPTY))],
    ['has a status above all', says(line('999 x', EMPTY))],
    ['goes on, and on', says(line('100 Continue').repeat(1_000))],
    ['has a body with a status that has none', says(`${line('204 x', 'Content-Length: 5')}hello`)],
    ['says that nothing has changed, with a body', says(`${line('304 x', 'Content-Length: 5')}hello`)],
    [
      'has headers of its connection',
      says(line('200 x', EMPTY, 'Keep-Alive: 1', 'Upgrade: h2c', 'TE: a', 'HTTP2-Settings: x')),
    ],
    [
      'has a header twice that may be there once',
      says(line('200 x', EMPTY, 'Content-Type: a/b', 'Content-Type: c/d', 'ETag: 1', 'ETag: 2')),
    ],
    ['has bytes in a header', says(line('200 x', EMPTY, 'X: \xff\xfe'))],
    ['has a header of the server', says(line('200 x', EMPTY, 'Audit-Id: x', 'Date: y', 'Date: z'))],
    ['ends its headers early', says(line('200 x', 'Connection: Content-Length, Date', EMPTY))],
    ['says less than it announced', says(`${line('200 x', 'Content-Length: 5')}he`)],
    ['breaks off in a chunk', breaks(`${line('200 x', 'Transfer-Encoding: chunked')}5\r\nhe`)],
    ['says no more than a line', breaks('HTTP/1.1 200')],
    ['says nothing', (socket) => socket.resetAndDestroy()],
    ['redirects to what is no address', says(line('302 x', EMPTY, 'Location: http://[::::]:99999/%%%'))],
  ])('that %s is let go of', async (_what, behaviour) => {
    behave = behaviour;
    const second = http2Client(plane.connection);
    const statuses = await Promise.all(
      ['GET', 'HEAD', 'POST'].flatMap((method) => [tried(plane.admin, method), tried(second, method)]),
    );
    expect(statuses).not.toContain(500);
    await upgrade();
    second.close();
    await insist(() => expect(open.size).toBe(0));
    expect((await plane.admin.request('GET', '/livez')).status).toBe(200);
  });
});

describe('a client that has a connection to a pod', () => {
  const asking = `GET ${PROXY} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;

  async function dial() {
    const { hostname, port } = new URL(plane.connection.server);
    const socket = connect({ ...tlsOptions(plane.connection), host: hostname, port: Number(port) });
    await once(
      socket.on('error', () => {}),
      'secureConnect',
    );
    return socket;
  }

  it('and goes away at any moment leaves nothing behind', async () => {
    behave = (socket) => socket.write(SWITCHED);
    for (let after = 0; after < 30; after++) {
      const socket = await dial();
      socket.write(asking);
      setTimeout(() => socket.destroy(), after / 2);
      await once(socket, 'close');
    }
    await insist(() => expect(open.size).toBe(0));
  });

  it('sends no more than the pod takes, and is sent no more than it takes', async () => {
    const block = Buffer.alloc(1 << 16);
    /** Writes for as long as it is taken. */
    const pour = (socket: Duplex, note: (bytes: number) => void): void => {
      const isRoom = socket.write(block);
      note(block.length);
      if (isRoom) setImmediate(() => pour(socket, note));
      else socket.once('drain', () => pour(socket, note));
    };
    let [sent, said] = [0, 0];
    behave = (socket) => {
      socket.pause().write(SWITCHED);
      pour(socket, (bytes) => {
        said += bytes;
      });
    };
    const socket = await dial();
    socket.write(asking);
    await insist(() => expect(said).toBeGreaterThan(0));
    pour(socket, (bytes) => {
      sent += bytes;
    });
    let before = -1;
    // Both have stopped when nothing moves for a while.
    await insist(async () => {
      const [now] = [sent + said, await new Promise((resolve) => setTimeout(resolve, 200))];
      const was = before;
      before = sent + said;
      expect([before, now]).toEqual([now, was]);
    });
    expect(Math.min(sent, said)).toBeGreaterThan(1 << 16);
    expect(Math.max(sent, said)).toBeLessThan(64 << 20);
    socket.destroy();
    await insist(() => expect(open.size).toBe(0));
  });

  it.each([1, 2])(
    'and goes away in the middle of what it sends over HTTP/%i leaves nothing behind',
    async (version) => {
      behave = () => {};
      for (let at = 0; at < 20; at++) {
        const [body, end] = await (version === 1 ? sending() : sendingSecond());
        body.write('half of it');
        if (at % 2 === 0) await insist(() => expect(open.size).toBe(1));
        end();
        await insist(() => expect(open.size).toBe(0));
      }
    },
  );

  const sending = async (): Promise<[Writable, () => void]> => {
    const socket = await dial();
    socket.write(`POST ${PROXY} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n`);
    return [socket, () => socket.destroy()];
  };

  const sendingSecond = async (): Promise<[Writable, () => void]> => {
    const session = connectSecond(plane.connection.server, tlsOptions(plane.connection)).on('error', () => {});
    const stream = session.request({ ':method': 'POST', ':path': PROXY }, { endStream: false }).on('error', () => {});
    return [stream, () => session.destroy()];
  };
});
