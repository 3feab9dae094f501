import type { Connection } from '../../src/outbound/config.ts';
import { type Server, type StartOptions, startServer } from '../../src/server/server.ts';
import { type Client, connectionOf, type Headers, http1Client } from './client.ts';
import { openWatch, type Watch } from './watch.ts';

/** A server of this process on a port of its own, and its administrator. Nothing is written to disk. */
export interface TestServer {
  readonly server: Server;
  readonly connection: Connection;
  readonly admin: Client;
  watch(path: string, headers?: Headers): Promise<Watch>;
  close(): Promise<void>;
}

export async function startTestServer(options: StartOptions = {}): Promise<TestServer> {
  const server = await startServer({ store: 'memory', port: 0, freezeObjects: true, ...options });
  const connection = await connectionOf(server.adminConfig);
  const admin = http1Client(connection);
  return {
    server,
    connection,
    admin,
    watch: (path, headers) => openWatch(connection, path, headers),
    async close() {
      admin.close();
      await server.close();
    },
  };
}
