import { createServer as createHttp, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TestAuthority } from './certificates.ts';

/** A proxy that leads wherever it is asked for to one port of this machine. */
export interface ProxyStandIn {
  readonly port: number;
  /** What was asked for, and with which credentials. */
  readonly asked: string[];
  close(): Promise<void>;
}

async function listening(server: Server, asked: string[]): Promise<ProxyStandIn> {
  const open = new Set<Duplex>();
  server.on('connection', (socket: Socket) => {
    open.add(socket.on('error', () => {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    asked,
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function join(client: Duplex, target: Duplex): void {
  client.on('error', () => target.destroy()).on('close', () => target.destroy());
  target.on('error', () => client.destroy()).on('close', () => client.destroy());
  client.pipe(target).pipe(client);
}

/** CONNECT and whole requests; over TLS when there is an authority. `refusal`: what it answers instead. */
export function httpProxy(targetPort: number, authority?: TestAuthority, refusal = ''): Promise<ProxyStandIn> {
  const asked: string[] = [];
  const note = ({ method, url, headers }: IncomingMessage): void => {
    asked.push(`${method} ${url} ${headers['proxy-authorization'] ?? ''}`.trim());
  };
  const passOn = (incoming: IncomingMessage, response: ServerResponse): void => {
    note(incoming);
    const { pathname, search } = new URL(incoming.url ?? '');
    const path = `${pathname}${search}`;
    request({ host: '127.0.0.1', port: targetPort, path, method: incoming.method }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    }).end();
  };
  const server = authority ? createHttps(authority.server(), passOn) : createHttp(passOn);
  server.on('connect', (incoming: IncomingMessage, client: Duplex) => {
    note(incoming);
    if (refusal !== '') client.end(refusal);
    else {
      const target = connect(targetPort, '127.0.0.1', () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
      join(client, target);
    }
  });
  return listening(server, asked);
}

/** SOCKS 5, for those who show a name and a password where there is one. */
export function socksProxy(targetPort: number, credentials = ''): Promise<ProxyStandIn> {
  const asked: string[] = [];
  const server = createServer(async (client) => {
    const next = async (): Promise<Buffer> => new Promise((resolve) => client.once('data', resolve));
    const greeting = await next();
    const method = credentials === '' ? 0 : 2;
    client.write(Buffer.of(5, greeting.subarray(2).includes(method) ? method : 255));
    if (method === 2) {
      const told = await next();
      const nameLength = told[1] ?? 0;
      const pair = `${told.subarray(2, 2 + nameLength)}:${told.subarray(3 + nameLength)}`;
      client.write(Buffer.of(1, pair === credentials ? 0 : 1));
    }
    const wanted = await next();
    const isName = wanted[3] === 3;
    asked.push(
      `${isName ? wanted.subarray(5, -2) : wanted.subarray(4, -2).join('.')}:${wanted.readUInt16BE(wanted.length - 2)}`,
    );
    const target = connect(targetPort, '127.0.0.1', () => {
      client.write(Buffer.of(5, 0, 0, 1, 127, 0, 0, 1, 0, 0));
      join(client, target);
    });
  });
  return listening(server, asked);
}
