import { networkInterfaces } from 'node:os';
import { availableMemory } from '../bounds/memory-guard.ts';
import { mostConnections } from '../bounds/most-connections.ts';
import { advertisedAddress } from '../controllers/advertised-address.ts';
import type { Handle } from '../http/handler.ts';
import type { Limits } from '../http/limits.ts';
import { listen } from '../http/listener.ts';
import type { TlsRules } from '../http/secure-server.ts';
import type { Logger } from '../observe/logging/logger.ts';
import type { ServerMetrics } from '../observe/metrics/server-metrics.ts';
import { beginOrEnd } from '../runtime/closing.ts';
import type { Settings } from '../settings/settings.ts';
import type { ConsoleOptions } from './console.ts';
import { type Credentials, clientCasOf } from './credentials.ts';
import type { Plane, PublicPlace } from './plane.ts';

export interface ListenerOptions extends ConsoleOptions {
  readonly settings: Settings;
  readonly tls: TlsRules;
  readonly logger: Logger;
  readonly metrics: ServerMetrics;
  /** How long requests in flight have to finish once it is closed. */
  readonly graceMs: number;
}

/** An open port of a plane. */
export interface PlaneListener {
  readonly url: string;
  readonly port: number;
  /** `host:port`, as told to clients. */
  readonly address: string;
  /** Where clients inside the plane can reach it. */
  readonly place: PublicPlace;
  /** Ends streams, and waits for other requests. */
  close(): Promise<void>;
}

/** Opens the port. Rejects with an Error of one clear line when that cannot be done. */
export const openListener = (plane: Plane, options: ListenerOptions): Promise<PlaneListener> =>
  beginOrEnd(async (closing) => {
    const { settings, tls, logger, metrics, graceMs } = options;
    const handshakeErrors = metrics.recorder.number('apiserver_tls_handshake_errors_total', []);
    const { credentials } = plane;
    const around = await answersAround(plane, options);
    const listener = await listen({
      host: settings.bindAddress,
      port: settings.securePort,
      ...servedWith(credentials.current),
      tls,
      limits: connectionLimits(settings),
      handleAt: (address) => around(plane.handleAt(address)),
      onHandshakeError() {
        handshakeErrors.value++;
      },
      onRefused: (open) => logger.warn({ open }, 'connections are refused: as many are open as there is memory for'),
      onError: (error, request) => logger.error({ err: error, request }, 'a request could not be served'),
    });
    closing.add(() => listener.close({ graceMs }));
    const { host, port, url } = listener;
    const reloading = credentials.onServing((next) => listener.reload(servedWith(next)));
    closing.add(() => reloading.close());
    const advertised = settings.advertiseAddress ?? advertisedAddress(host, networkInterfaces());
    const place = { address: advertised, port };
    return { url, port, address: `${host}:${port}`, place, close: () => closing.run() };
  });

const servedWith = (credentials: Credentials) => ({
  key: credentials.serving.key,
  cert: credentials.serving.certificate,
  clientCas: clientCasOf(credentials),
  named: credentials.named,
});

const connectionLimits = ({
  goawayChance,
  http2MaxStreamsPerConnection: streams,
  memoryLimit = availableMemory(),
}: Settings): Partial<Limits> => ({
  connections: mostConnections(memoryLimit),
  goawayChance,
  ...(streams === 0 ? {} : { maxConcurrentStreams: streams }),
});

/** What is there only for those who come over a socket: the console, and what settings add to every answer. */
async function answersAround(plane: Plane, options: ListenerOptions): Promise<(handle: Handle) => Handle> {
  const strictly = await headersAround(options.settings);
  if (!options.settings.enableConsole) return strictly;
  const { consoleOf } = await import('./console.ts');
  const console = consoleOf(plane, options);
  return (handle) => strictly(console(handle));
}

/** What settings add to every answer that goes over a socket. */
async function headersAround(settings: Settings): Promise<(handle: Handle) => Handle> {
  const { strictTransportSecurityDirectives: directives, corsAllowedOrigins: origins } = settings;
  if (directives.length === 0 && origins.length === 0) return (handle) => handle;
  // Loaded when asked for: regular expressions in linear time take a library.
  const { allowOrigins, withHeaders } = await import('../http/cross-origin.ts');
  const strict = ['Strict-Transport-Security', transportSecurity(directives)];
  const secured = (handle: Handle): Handle =>
    directives.length === 0 ? handle : async (request) => withHeaders(await handle(request), strict);
  return (handle) => secured(origins.length === 0 ? handle : allowOrigins(origins, handle));
}

const DIRECTIVE = /^(?:max-age=\d{1,12}|includeSubDomains|preload)$/;

function transportSecurity(directives: readonly string[]): string {
  const wrong = directives.find((directive) => !DIRECTIVE.test(directive));
  if (wrong !== undefined) {
    throw new Error(
      `--strict-transport-security-directives must be max-age=N, includeSubDomains or preload, not "${wrong}"`,
    );
  }
  return directives.join('; ');
}
