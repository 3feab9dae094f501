/** What a client may cost the listener before it is cut off. Times are in milliseconds. */
export interface Limits {
  /** Connections that are open at a time, those included whose handshake is still to be done; more are closed at once. */
  readonly connections: number;
  /** Request line and headers together. Past it HTTP/1.1 answers 431; HTTP/2 does so up to twice the size, then resets. */
  readonly headerBytes: number;
  /** From the first byte of the TCP connection to the end of the TLS handshake. */
  readonly handshakeTimeout: number;
  /** For an HTTP/1.1 request's headers, and for the first byte of a new connection. */
  readonly headersTimeout: number;
  /** For a body, counted from the moment the server starts to read it. */
  readonly bodyTimeout: number;
  /** How long a connection without a request in flight is kept at most; at least half of this. */
  readonly idleTimeout: number;
  /** How long and how far the rest of a body is read and dropped after an early answer, so that the client sees it. */
  readonly lingerTimeout: number;
  readonly lingerBytes: number;
  /** Requests in flight on one HTTP/2 connection. */
  readonly maxConcurrentStreams: number;
  /** The chance, from 0 to 1, that a client is asked to connect anew with its next request. */
  readonly goawayChance: number;
  /** Megabytes that nghttp2 may hold for one HTTP/2 connection; further streams are refused past it. */
  readonly sessionMegabytes: number;
}

export const DEFAULT_LIMITS: Limits = {
  connections: 10_000,
  headerBytes: 128 * 1024,
  handshakeTimeout: 10_000,
  headersTimeout: 10_000,
  bodyTimeout: 60_000,
  idleTimeout: 90_000,
  lingerTimeout: 5_000,
  lingerBytes: 32 * 1024 * 1024,
  maxConcurrentStreams: 250,
  goawayChance: 0,
  sessionMegabytes: 128,
};
