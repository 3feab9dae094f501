import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorCode } from '../../runtime/directories.ts';
import type { EtcdFlags } from './etcd-flags.ts';
import { ETCD_VERSION, STAND_IN_ANSWER, STAND_IN_PATH } from './stand-in-answer.ts';

const MOST_CONNECTIONS = 256;
const PATIENCE_MS = 10_000;

/** What is asked of an etcd before it is used, by path. */
const ANSWERS: Readonly<Record<string, string>> = {
  '/health': '{"health":"true","reason":""}',
  '/livez': 'ok\n',
  '/readyz': 'ok\n',
  '/version': `{"etcdserver":"${ETCD_VERSION}","etcdcluster":"${ETCD_VERSION}"}`,
  [STAND_IN_PATH]: STAND_IN_ANSWER,
};

const NOTHING_HERE = 'this is a stand-in for etcd: the API server keeps objects itself\n';

/** Ports that are open. */
export interface HeldPorts {
  readonly clientUrls: readonly string[];
  close(): void;
}

/** Opens every port. Rejects with an Error of one line when one cannot be, with none left open. */
export async function holdPorts({ clientUrls, peerUrls }: EtcdFlags): Promise<HeldPorts> {
  const servers: Server[] = [];
  const close = (): void => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  };
  try {
    for (const url of [...clientUrls, ...peerUrls]) servers.push(await listen(url));
  } catch (error) {
    close();
    throw error;
  }
  return { clientUrls: servers.slice(0, clientUrls.length).map(urlOf), close };
}

async function listen(url: URL): Promise<Server> {
  const server = createServer({ requestTimeout: PATIENCE_MS, headersTimeout: PATIENCE_MS }, (request, response) => {
    request.resume();
    const [path = ''] = (request.url ?? '').split('?', 1);
    const answer = Object.hasOwn(ANSWERS, path) ? ANSWERS[path] : undefined;
    response.writeHead(answer === undefined ? 404 : 200, {
      'content-type': answer?.startsWith('{') ? 'application/json' : 'text/plain',
    });
    response.end(answer ?? NOTHING_HERE);
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.listen({ host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 80) });
  await once(server, 'listening').catch((error: unknown) => {
    throw new Error(`cannot listen on ${url.host}: ${errorCode(error)}`, { cause: error });
  });
  return server;
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
