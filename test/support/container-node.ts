import { spawn } from 'node:child_process';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { Duplex, PassThrough, type Readable, type Writable } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { SpdyPeer } from '../../src/testing/stages/spdy-peer.ts';
import { TestAuthority } from './certificates.ts';
import { StandIn } from './stand-in.ts';

/** What a process in a container is joined to. */
export interface ContainerStreams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly error: Writable;
  readonly resize: Readable;
}

type Run = (command: readonly string[], streams: ContainerStreams) => void;

const CHANNELS = ['stdin', 'stdout', 'stderr', 'error', 'resize'] as const;
const CLOSE_SIGNAL = 255;

/**
 * Stands in for a node whose containers are processes of this machine, in a directory. Speaks the protocols that it is told
 * to: `v5`, `v4` and `spdy`.
 */
export class ContainerNode {
  readonly standIn: StandIn;
  speaks: readonly string[] = ['v5', 'v4', 'spdy'];
  /** What was spoken, in order. */
  readonly spoken: string[] = [];
  run: Run;
  /** Where a port of the pod is, on this machine; undefined where nobody listens. */
  ports: Readonly<Record<number, number>> = {};
  readonly #server = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => this.#choose([...offered]) || false,
  });

  private constructor(standIn: StandIn, directory: string) {
    this.standIn = standIn;
    this.run = (command, streams) => runProcess(command, directory, streams);
    standIn.upgrade = (request, socket) => this.#upgrade(request, socket);
  }

  static async open(directory: string): Promise<ContainerNode> {
    return new ContainerNode(await StandIn.open(new TestAuthority('nodes')), directory);
  }

  /** Every log is two lines that name their container. */
  answerWithLines(): void {
    this.standIn.answer = ({ url = '' }, response) => {
      const [, , , pod, container] = url.split(/[/?]/);
      response.end(`one of ${pod} ${container}\ntwo of ${pod} ${container}\n`);
    };
  }

  /** Ends all connections without a word. */
  breakOff(): void {
    for (const client of this.#server.clients) client.terminate();
  }

  async close(): Promise<void> {
    for (const client of this.#server.clients) client.terminate();
    this.#server.close();
    await this.standIn.close();
  }

  #choose(offered: readonly string[]): string | undefined {
    return offered.find((protocol) => this.speaks.some((version) => protocol.startsWith(`${version}.channel.`)));
  }

  #upgrade(request: IncomingMessage, socket: Duplex): void {
    const { headers, url = '' } = request;
    const { pathname, searchParams } = new URL(url, 'https://node');
    const isForward = pathname.startsWith('/portForward/');
    if (headers.upgrade === 'websocket' && this.#choose((headers['sec-websocket-protocol'] ?? '').split(/, */))) {
      this.#server.handleUpgrade(request, socket, Buffer.alloc(0), (webSocket) => {
        this.spoken.push(`websocket ${webSocket.protocol}`);
        if (isForward) this.#forwardOver(webSocket, Number(searchParams.get('port')));
        else this.run(searchParams.getAll('command'), channelsOf(webSocket));
      });
      return;
    }
    if (headers.upgrade !== 'SPDY/3.1' || !this.speaks.includes('spdy')) {
      socket.end(`HTTP/1.1 403 Forbidden\r\nContent-Length: 16\r\n\r\nno such protocol`);
      return;
    }
    const [protocol = ''] = String(headers['x-stream-protocol-version'] ?? '').split(/, */);
    this.spoken.push(`spdy ${protocol}`);
    const lines = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: SPDY/3.1'];
    socket.write(`${[...lines, `X-Stream-Protocol-Version: ${protocol}`].join('\r\n')}\r\n\r\n`);
    if (isForward) this.#forwardOverSpdy(socket);
    else this.#runOverSpdy(socket, searchParams);
  }

  #runOverSpdy(socket: Duplex, query: URLSearchParams): void {
    const wanted = ['error', ...Object.entries(NODE_NAMES).flatMap(([name, is]) => (query.has(name) ? [is] : []))];
    if (query.has('tty')) wanted.push('resize');
    const opened = new Map<string, Duplex>();
    new SpdyPeer(socket, ({ streamtype = '' }, stream) => {
      opened.set(streamtype, stream);
      if (!wanted.every((name) => opened.has(name))) return;
      const stream_ = (name: string): Duplex => opened.get(name) ?? new PassThrough();
      this.run(query.getAll('command'), {
        stdin: stream_('stdin'),
        stdout: stream_('stdout'),
        stderr: stream_('stderr'),
        error: stream_('error'),
        resize: stream_('resize'),
      });
    });
  }

  #forwardOverSpdy(socket: Duplex): void {
    const errors = new Map<string, Duplex>();
    new SpdyPeer(socket, ({ streamtype, port, requestid = '' }, stream) => {
      if (streamtype === 'error') errors.set(requestid, stream);
      else this.#join(Number(port), stream, errors.get(requestid) ?? new PassThrough());
    });
  }

  #forwardOver(socket: WebSocket, port: number): void {
    const [data, error] = [channel(socket, 0), channel(socket, 1)];
    const number = Buffer.of(port & 255, port >> 8);
    data.write(number);
    error.write(number);
    this.#join(port, data, error);
    data.once('finish', () => socket.close());
  }

  #join(port: number, data: Duplex, error: Duplex): void {
    const place = this.ports[port];
    if (place === undefined) {
      error.end(`an error occurred forwarding ${port}: connection refused`);
      data.end();
      return;
    }
    const target = connect(place, '127.0.0.1');
    target.on('error', () => data.end());
    data.pipe(target).pipe(data);
    target.once('close', () => error.end());
  }
}

const NODE_NAMES: Readonly<Record<string, string>> = { input: 'stdin', output: 'stdout', error: 'stderr' };

function channel(socket: WebSocket, number: number): Duplex {
  const made = new Duplex({
    read() {},
    write: (part, _encoding, done) => socket.send(Buffer.concat([Buffer.of(number), part]), done),
  });
  socket.on('message', (data: Buffer) => {
    if (data[0] === number && data.length > 1) made.push(data.subarray(1));
    if (data[0] === CLOSE_SIGNAL && data[1] === number) made.push(null);
  });
  socket.once('close', () => made.push(null));
  return made.on('error', () => {});
}

function channelsOf(socket: WebSocket): ContainerStreams {
  const [stdin, stdout, stderr, error, resize] = CHANNELS.map((_name, number) => channel(socket, number));
  if (!stdin || !stdout || !stderr || !error || !resize) throw new TypeError('there are five channels');
  error.once('finish', () => socket.close(1000));
  return { stdin, stdout, stderr, error, resize };
}

/** Runs a command for real, and tells how it ended as nodes do. */
export function runProcess(command: readonly string[], directory: string, streams: ContainerStreams): void {
  const { stdin, stdout, stderr, error } = streams;
  const [program = 'cat', ...args] = command;
  const child = spawn(program, args, { cwd: directory, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => {});
  stdin.pipe(child.stdin);
  child.stdout.pipe(stdout, { end: false });
  child.stderr.pipe(stderr, { end: false });
  child.once('error', ({ message }) => tell(error, { status: 'Failure', reason: 'InternalError', message, code: 500 }));
  child.once('close', (code) => {
    stdout.end();
    stderr.end();
    if (code === 0) tell(error, { status: 'Success' });
    else if (code !== null) tell(error, exited(code));
  });
}

export const exited = (code: number): object => ({
  status: 'Failure',
  reason: 'NonZeroExitCode',
  message: `command terminated with non-zero exit code: exit status ${code}`,
  details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
});

function tell(error: Writable, status: object): void {
  error.end(JSON.stringify({ metadata: {}, ...status }));
}
