import { connect, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, checkServerIdentity, connect as connectTls, type TLSSocket } from 'node:tls';
import { NoAnswerInTime } from '../../outbound/failures.ts';
import type { OutboundTrust } from '../../outbound/outbound.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { hostOf, portOf } from './proxy-choice.ts';

/** A connection with everything around it: names, proxies, handshakes. */
const CONNECT_TIMEOUT_MS = 30_000;
/** Without a sign of life for so long the kernel asks the other side for one. */
const KEEP_ALIVE_MS = 30_000;

/** How a server is reached. */
export interface Route {
  readonly server: URL;
  readonly trust: OutboundTrust;
  readonly proxy: URL | undefined;
}

/** What is spoken on a connection, as ALPN names it. */
export type HttpVersion = 'h2' | 'http/1.1';

export interface Dialed {
  readonly socket: Socket;
  readonly version: HttpVersion;
}

/** Requests to a server without TLS are handed to a proxy as they are, which needs no tunnel. */
export const isForwarded = ({ server, proxy }: Route): boolean =>
  server.protocol === 'http:' && proxy !== undefined && !isSocks(proxy);

const isSocks = ({ protocol }: URL): boolean => protocol.startsWith('socks5');

/**
 * Opens a connection for one of some versions of HTTP, the first of them that the server speaks. `throughTunnel`: the
 * connection is for more than HTTP, so a proxy has to keep out of it in any case.
 */
export async function dial(
  route: Route,
  versions: readonly HttpVersion[],
  runtime: Runtime,
  throughTunnel = false,
): Promise<Dialed> {
  const { server, proxy } = route;
  const opened: Socket[] = [];
  const timer = runtime.after(CONNECT_TIMEOUT_MS, () => {
    for (const socket of opened) {
      socket.destroy(new NoAnswerInTime(`no connection to ${server.host} in ${CONNECT_TIMEOUT_MS / 1000} s`));
    }
  });
  const keep = <S extends Socket>(socket: S): S => {
    opened.push(socket);
    // A connection may break before anybody uses it, who then finds out.
    socket.on('error', () => {});
    return socket;
  };
  try {
    const reached = await reach(proxy ?? server, keep);
    const joined = proxy ? await throughProxy(route, proxy, reached, keep, throughTunnel) : reached;
    if (server.protocol !== 'https:') return { socket: joined, version: 'http/1.1' };
    const secured = await secure(joined, hostOf(server), route.trust, versions, keep);
    return { socket: secured, version: secured.alpnProtocol === 'h2' ? 'h2' : 'http/1.1' };
  } catch (error) {
    for (const socket of opened) socket.destroy();
    throw error;
  } finally {
    timer.cancel();
  }
}

type Keep = <S extends Socket>(socket: S) => S;

async function reach(place: URL, keep: Keep): Promise<Socket> {
  const port = place.protocol.startsWith('socks5') ? place.port || '1080' : portOf(place);
  const socket = keep(connect({ host: hostOf(place), port: Number(port), noDelay: true }));
  socket.setKeepAlive(true, KEEP_ALIVE_MS);
  await become(socket, 'connect');
  return socket;
}

async function throughProxy(
  { server, trust }: Route,
  proxy: URL,
  reached: Socket,
  keep: Keep,
  throughTunnel: boolean,
): Promise<Socket> {
  const [host, port] = [hostOf(server), portOf(server)];
  if (isSocks(proxy)) {
    const { tunnelBySocks } = await import('./socks5.ts');
    await tunnelBySocks(reached, proxy, host, port);
    return reached;
  }
  // A proxy is shown no certificate, and goes by its own name.
  const { ca, insecureSkipTlsVerify } = trust;
  const own = { ...(ca === undefined ? {} : { ca }), insecureSkipTlsVerify: insecureSkipTlsVerify === true };
  const socket = proxy.protocol === 'https:' ? await secure(reached, hostOf(proxy), own, ['http/1.1'], keep) : reached;
  if (server.protocol === 'http:' && !throughTunnel) return socket;
  const { tunnelByConnect } = await import('./proxy-tunnel.ts');
  await tunnelByConnect(socket, proxy, host, port);
  return socket;
}

async function secure(
  socket: Socket,
  host: string,
  trust: OutboundTrust,
  versions: readonly HttpVersion[],
  keep: Keep,
): Promise<TLSSocket> {
  const secured = keep(connectTls({ socket, ...tlsOptions(host, trust), ALPNProtocols: [...versions] }));
  await become(secured, 'secureConnect');
  return secured;
}

function tlsOptions(host: string, trust: OutboundTrust): ConnectionOptions {
  const { ca, clientCertificate, clientKey, insecureSkipTlsVerify, tlsServerName } = trust;
  const name = tlsServerName || host;
  return {
    minVersion: 'TLSv1.2',
    // Addresses are no names that could be asked for; they stand in certificates all the same.
    servername: isIP(name) === 0 ? name : '',
    checkServerIdentity: (_name, certificate) => checkServerIdentity(name, certificate),
    rejectUnauthorized: insecureSkipTlsVerify !== true,
    ...(ca === undefined ? {} : { ca }),
    ...(clientCertificate === undefined ? {} : { cert: clientCertificate }),
    ...(clientKey === undefined ? {} : { key: clientKey }),
  };
}

/** Resolves with an event that says that a connection is made; rejects when it breaks before. */
function become(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      socket.off(event, onEvent).off('error', onError).off('close', onClose);
      act();
    };
    const onEvent = (): void => settle(resolve);
    const onError = (error: Error): void => settle(() => reject(error));
    const onClose = (): void => settle(() => reject(new Error('the connection was closed before it was made')));
    socket.once(event, onEvent).once('error', onError).once('close', onClose);
  });
}
