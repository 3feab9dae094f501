import { networkInterfaces } from 'node:os';
import { advertisedAddress } from '../controllers/advertised-address.ts';
import { listen } from '../http/listener.ts';
import type { TlsRules } from '../http/secure-server.ts';
import type { Logger } from '../observe/logging/logger.ts';
import { beginOrEnd } from '../runtime/closing.ts';
import type { Settings } from '../settings/settings.ts';
import { type Credentials, clientCasOf } from './credentials.ts';
import type { Plane, PublicPlace } from './plane.ts';

export interface ListenerOptions {
  readonly settings: Settings;
  readonly tls: TlsRules;
  readonly logger: Logger;
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
    const { settings, tls, logger, graceMs } = options;
    const { credentials } = plane;
    const listener = await listen({
      host: settings.bindAddress,
      port: settings.securePort,
      ...servedWith(credentials.current),
      tls,
      handleAt: (address) => plane.handleAt(address),
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
});
