import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { OutboundHeaders } from '../../outbound/outbound.ts';
import type { RetirablePool } from './certified-pools.ts';

/** A request on a connection, in whatever version of HTTP that speaks. */
export interface ExchangeRequest {
  readonly method: string;
  /** Path and query, with the path that the server is below of. */
  readonly path: string;
  readonly headers: OutboundHeaders;
  readonly body?: RequestBody | undefined;
  /** The answer lasts as long as both sides like: a watch, a log that is followed. */
  readonly isLong: boolean;
  /** Ends the request, and its answer, for the reason that it has. */
  readonly signal: AbortSignal;
}

/** A stream is sent at the pace at which the other side takes it. */
export type RequestBody = string | Uint8Array | Readable;

/** An answer that has begun. Whoever gets it reads its body to the end or destroys it. */
export interface ExchangeAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

/** Connections to one server that show one certificate. */
export interface HttpConnections extends RetirablePool {
  /**
   * Resolves when an answer has begun, whatever its status. Rejects with `NotProcessed` or `ConnectionWasClosed` where that
   * is known.
   */
  exchange(request: ExchangeRequest): Promise<ExchangeAnswer>;
}

/** The server speaks another version of HTTP than on earlier connections. */
export class VersionChanged extends Error {}
