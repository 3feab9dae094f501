import { type AddressInfo, createServer, isIP, type Server, type Socket } from 'node:net';
import { PortForwarder } from '../../../client/streams/port-forwarder.ts';
import { duration, list } from '../../../settings/flag.ts';
import { command } from '../frame/command.ts';
import { CommandError } from '../frame/failure.ts';
import { write } from '../frame/io.ts';
import type { Session } from '../frame/session.ts';
import { awaitPods, findObject, isNamedObject } from '../streaming/find-pods.ts';
import { type ForwardedPort, readPorts } from '../streaming/forwarded-ports.ts';
import { wrongUsage } from '../streaming/wrong-usage.ts';

const LOOPBACK = ['127.0.0.1', '::1'];
/** Of one port at once; more wait to be accepted. */
const MOST_CONNECTIONS = 1_000;

export const portForward = command({
  usage: 'port-forward TYPE/NAME [options] [LOCAL_PORT:]REMOTE_PORT [...[LOCAL_PORT_N:]REMOTE_PORT_N]',
  about:
    'Forwards ports of this machine to a pod until it is interrupted. Of a Deployment or a Service one pod is taken; when that ends, so does this.',
  examples: [
    ['Two ports that have the same numbers in the pod', 'port-forward pod/web 5000 6000'],
    ['A port of this machine to another one of the pod', 'port-forward pod/web 8888:5000'],
    ['Any free port of this machine', 'port-forward pod/web :5000'],
    ['The port of a Service that is named https', 'port-forward service/web 8443:https'],
  ],
  flags: {
    address: list('address', 'ADDRESSES', ['localhost'], 'addresses of this machine to listen at'),
    podRunningTimeout: duration('pod-running-timeout', 60_000, 'how long to wait until a pod runs'),
  },
  async run({ flags, args, session }) {
    const [word, ...ports] = args;
    if (word === undefined || ports.length === 0) {
      throw wrongUsage('port-forward', 'TYPE/NAME and list of ports are required for port-forward');
    }
    const found = await findObject(word, session);
    const behind = isNamedObject(found) ? found : undefined;
    const [pod] = isNamedObject(found) ? await awaitPods(found, session, flags.podRunningTimeout) : [found];
    const { phase = '' } = pod.status ?? {};
    if (phase !== 'Running') {
      throw new CommandError(`unable to forward port because pod is not running. Current status=${phase}`);
    }
    const forwarded = readPorts(ports, pod, behind);
    const { namespace = '', name = '' } = pod.metadata;
    const transport = await session.transport();
    const dial = transport.dialAs(await session.identity());
    const forwarder = new PortForwarder(dial, { namespace, name }, await session.vocabulary(), session.runtime);
    const servers: Server[] = [];
    try {
      for (const port of forwarded) servers.push(...(await listen(port, flags.address, forwarder, session)));
      await interruption(session.io.interrupted);
    } finally {
      for (const server of servers) server.close();
      forwarder.close();
    }
  },
});

const interruption = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Listens at all addresses; of `localhost` one is enough. */
async function listen(
  { local, remote }: ForwardedPort,
  addresses: readonly string[],
  forwarder: PortForwarder,
  session: Session,
): Promise<Server[]> {
  const servers: Server[] = [];
  let failure: Error | undefined;
  let port = local;
  for (const address of addresses.flatMap((one) => (one === 'localhost' ? LOOPBACK : [one]))) {
    try {
      if (isIP(address) === 0) throw new CommandError(`${address} is not a valid IP`);
      const server = await listenAt(address, port, remote, forwarder, session);
      // The same port at each of them.
      port = (server.address() as AddressInfo).port;
      servers.push(server);
      const shown = isIP(address) === 6 ? `[${address}]` : address;
      await write(session.io.stdout, `Forwarding from ${shown}:${port} -> ${remote}\n`);
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      if (!addresses.includes('localhost')) break;
    }
  }
  if (servers.length === 0 || (failure && !addresses.includes('localhost'))) {
    for (const server of servers) server.close();
    throw new CommandError(
      `unable to listen on any of the requested ports: [{${local} ${remote}}]: ${failure?.message}`,
    );
  }
  return servers;
}

function listenAt(
  address: string,
  port: number,
  remote: number,
  forwarder: PortForwarder,
  session: Session,
): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    void carry(socket, remote, forwarder, session);
  });
  server.maxConnections = MOST_CONNECTIONS;
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  session.io.interrupted.addEventListener('abort', () => {
    for (const socket of open) socket.destroy();
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, address, () => {
      server.off('error', reject).on('error', () => {});
      resolve(server);
    });
  });
}

/** Carries one connection to its end. What goes wrong is told, and ends that connection alone. */
async function carry(socket: Socket, remote: number, forwarder: PortForwarder, { io }: Session): Promise<void> {
  const { localPort } = socket;
  socket.on('error', () => {});
  const told = (problem: string): Promise<void> =>
    write(io.stderr, `error: an error occurred forwarding ${localPort} -> ${remote}: ${problem}\n`);
  await write(io.stdout, `Handling connection for ${localPort}\n`);
  try {
    const connection = await forwarder.connect(remote);
    socket.once('close', () => connection.close());
    connection.data.once('error', () => socket.destroy()).once('end', () => socket.end());
    socket.pipe(connection.data).pipe(socket);
    const problem = await connection.failure;
    if (problem === '') return;
    await told(problem);
    socket.destroy();
  } catch (error) {
    socket.destroy();
    if (!io.interrupted.aborted) await told(error instanceof Error ? error.message : String(error));
  }
}
