import { createSecureServer, type Http2SecureServer } from 'node:http2';
import type { SecureContextOptions, TlsOptions } from 'node:tls';
import { voidRevocationList } from '../pki/void-revocation-list.ts';
import type { Limits } from './limits.ts';
import type { NamedCertificate, NamedCertificates } from './named-certificates.ts';

/** A serving certificate with its key, and the authorities whose client certificates are asked for. All PEM. */
export interface Credentials {
  readonly key: string;
  readonly cert: string;
  readonly clientCas: readonly string[];
  /** Shown instead of the first to clients that ask for their names. */
  readonly named?: readonly NamedCertificate[];
}

/** How connections are kept private. */
export interface TlsRules {
  readonly minVersion: 'TLSv1.2' | 'TLSv1.3';
  /** In the form of OpenSSL; its own choice when absent. */
  readonly ciphers?: string | undefined;
}

export const USUAL_TLS: TlsRules = { minVersion: 'TLSv1.2' };

const STREAM_WINDOW = 256 * 1024;
const PROBE_DEAD_PEERS_AFTER = 30_000;

/** How often Node looks for HTTP/1.1 requests past their time; an attacker wins no more than this on top. */
const checkInterval = (limits: Limits): number => Math.max(10, Math.min(1_000, limits.headersTimeout / 4));

/** A server for both protocols that does not listen yet. */
export function createServer(
  credentials: Credentials,
  tls: TlsRules,
  limits: Limits,
  named: NamedCertificates,
): Http2SecureServer {
  const server = createSecureServer({
    ...contextOptions(credentials, tls),
    ...(credentials.named?.length ? { SNICallback: callbackOf(named) } : {}),
    allowHTTP1: true,
    // Without authorities of our own Node would trust a client certificate of any public one.
    requestCert: credentials.clientCas.length > 0,
    rejectUnauthorized: false,
    handshakeTimeout: limits.handshakeTimeout,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: PROBE_DEAD_PEERS_AFTER,
    settings: {
      maxConcurrentStreams: limits.maxConcurrentStreams,
      initialWindowSize: STREAM_WINDOW,
      // Node resets a stream past this size without an answer; the band up to it is for saying 431.
      maxHeaderListSize: 2 * limits.headerBytes,
      enablePush: false,
    },
    // Bounded by the size above, in which each header counts for 32 bytes more than it has.
    maxHeaderListPairs: limits.headerBytes / 16,
    maxSessionMemory: limits.sessionMegabytes,
    maxSessionInvalidFrames: 100,
    maxSessionRejectedStreams: 100,
    maxOutstandingPings: 10,
    maxSettings: 32,
  });
  // Node's HTTP/1.1 half reads these from whatever server it serves, though the types list them for http.Server alone.
  return Object.assign(server, {
    maxHeaderSize: limits.headerBytes,
    // No limit on their number: Node drops what is past it without a word. The size limits them.
    maxHeadersCount: 0,
    headersTimeout: limits.headersTimeout,
    // Bodies have a time limit of their own that does not run while a request waits in a queue of ours.
    requestTimeout: 0,
    // Idle connections are found by a sweep of ours.
    keepAliveTimeout: 0,
    connectionsCheckingInterval: checkInterval(limits),
  });
}

const callbackOf =
  (named: NamedCertificates): NonNullable<TlsOptions['SNICallback']> =>
  (name, done) =>
    done(null, named.find(name));

export function contextOptions(
  { key, cert, clientCas }: Credentials,
  { minVersion, ciphers }: TlsRules,
): SecureContextOptions {
  return {
    key,
    cert,
    minVersion,
    ...(ciphers === undefined ? {} : { ciphers, honorCipherOrder: true }),
    // Who is let in is decided by authentication. The verdict of TLS is not used, and here it is always no: after a yes
    // Node 24.21, 26.8 and 26.9 forget the authorities that a client sent along (nodejs/node#65579).
    ...(clientCas.length > 0 ? { ca: [...clientCas], crl: voidRevocationList() } : {}),
  };
}
