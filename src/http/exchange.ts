import type { Runtime } from '../runtime/runtime.ts';
import type { Arrivals } from './arrivals.ts';
import type { Handle } from './handler.ts';
import type { Limits } from './limits.ts';
import { type Body, type HttpRequest, isStream, type Reply } from './message.ts';
import type { OpenStream } from './open-stream.ts';

/** What the connections of a listener share, whichever protocol they speak. */
export interface HttpService {
  /** Where requests go that are to be answered. */
  readonly arrivals: Arrivals<Exchange>;
  readonly handle: Handle;
  readonly limits: Limits;
  readonly runtime: Runtime;
  /** Told of defects: a handler or body that threw. Never of a client's doings. */
  readonly onError: (error: unknown, requestLine: string) => void;
  /** Streamed bodies now open, to be told of a shutdown. */
  readonly streams: Set<OpenStream>;
  closing: boolean;
}

/** A request together with the way back to its client. */
export interface Exchange extends HttpRequest {
  /** Whether the answer has begun: its headers are fixed. */
  readonly answering: boolean;
  send(reply: Reply): void;
  /** Ends an answer that has begun so that the client sees it is not complete. */
  breakOff(): void;
}

const BARE_ERROR: Reply = { status: 500, headers: [], body: [] };

/** Has the request answered. Never rejects. */
export async function serve(service: HttpService, exchange: Exchange): Promise<void> {
  let reply: Reply | undefined;
  try {
    reply = await service.handle(exchange);
    exchange.send(reply);
  } catch (error) {
    service.onError(error, requestLine(exchange));
    if (exchange.answering) {
      exchange.breakOff();
      return;
    }
    if (reply !== undefined) discard(reply.body);
    sendBareError(service, exchange);
  }
}

function sendBareError(service: HttpService, exchange: Exchange): void {
  try {
    exchange.send(BARE_ERROR);
  } catch (error) {
    service.onError(error, requestLine(exchange));
    exchange.breakOff();
  }
}

export const requestLine = ({ method, target }: HttpRequest): string => `${method} ${target}`;

/** Opens a streamed body after its headers; one opened during a shutdown is told so at once. */
export function openStream(service: HttpService, stream: OpenStream): void {
  service.streams.add(stream);
  stream.start();
  if (service.closing) stream.shutdown();
}

/** Whether an answer consists of headers alone, by its method or its status. */
export const isBodiless = (method: string, status: number): boolean =>
  method === 'HEAD' || status === 204 || status === 304;

/** Lets go of a body that will not be sent. */
export function discard(body: Body): void {
  if (isStream(body)) body.onClose();
}
