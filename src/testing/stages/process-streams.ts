import type { IncomingMessage } from 'node:http';
import { Duplex, PassThrough } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { SpdyPeer } from './spdy-peer.ts';

/** What a process in a container is joined to. */
export interface ProcessStreams {
  readonly stdin: Duplex;
  readonly stdout: Duplex;
  readonly stderr: Duplex;
  /** How it ended. */
  readonly error: Duplex;
}

/** By the numbers of their channels. */
const NAMES = ['stdin', 'stdout', 'stderr', 'error'] as const;
/** What streams are called in the query of a node. */
const QUERY_NAMES: Readonly<Record<string, string>> = { input: 'stdin', output: 'stdout', error: 'stderr' };
const CLOSE_SIGNAL = 255;
const SUBPROTOCOL = /^v[45]\.channel\./;

const webSockets = new WebSocketServer({
  noServer: true,
  handleProtocols: (offered) => [...offered].find((name) => SUBPROTOCOL.test(name)) ?? false,
});

/** Agrees to join streams over a WebSocket or SPDY, whichever is asked for, and hands them over when all are open. */
export function acceptStreams(
  request: IncomingMessage,
  socket: Duplex,
  onOpen: (streams: ProcessStreams) => void,
): void {
  const { headers, url = '' } = request;
  if (headers.upgrade?.toLowerCase() === 'websocket') {
    webSockets.handleUpgrade(request, socket, Buffer.alloc(0), (webSocket) => onOpen(channelsOf(webSocket)));
    return;
  }
  if (headers.upgrade !== 'SPDY/3.1') {
    socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
    return;
  }
  const [protocol = ''] = String(headers['x-stream-protocol-version'] ?? '').split(',');
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: SPDY/3.1'];
  socket.write(`${[...lines, `X-Stream-Protocol-Version: ${protocol.trim()}`].join('\r\n')}\r\n\r\n`);
  acceptSpdy(socket, new URL(url, 'https://node').searchParams, onOpen);
}

function acceptSpdy(socket: Duplex, query: URLSearchParams, onOpen: (streams: ProcessStreams) => void): void {
  const wanted = ['error', ...Object.entries(QUERY_NAMES).flatMap(([name, is]) => (query.has(name) ? [is] : []))];
  const opened = new Map<string, Duplex>();
  let isOpen = false;
  new SpdyPeer(socket, ({ streamtype = '' }, stream) => {
    opened.set(streamtype, stream);
    if (isOpen || !wanted.every((name) => opened.has(name))) return;
    isOpen = true;
    const named = (name: string): Duplex => opened.get(name) ?? new PassThrough().resume();
    onOpen({ stdin: named('stdin'), stdout: named('stdout'), stderr: named('stderr'), error: named('error') });
  });
}

function channelsOf(socket: WebSocket): ProcessStreams {
  const [stdin, stdout, stderr, error] = NAMES.map((_name, number) => channel(socket, number));
  if (!stdin || !stdout || !stderr || !error) throw new TypeError('there are four channels');
  error.once('finish', () => socket.close(1000));
  return { stdin, stdout, stderr, error };
}

/** Messages with a number before what they carry. */
function channel(socket: WebSocket, number: number): Duplex {
  const stream = new Duplex({
    read() {},
    write: (part, _encoding, done) => socket.send(Buffer.concat([Buffer.of(number), part]), done),
  });
  socket.on('message', (data: Buffer) => {
    if (data[0] === number && data.length > 1) stream.push(data.subarray(1));
    if (data[0] === CLOSE_SIGNAL && data[1] === number) stream.push(null);
  });
  socket.once('close', () => stream.push(null));
  return stream.on('error', () => {});
}
