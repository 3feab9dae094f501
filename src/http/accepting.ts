import type { Http2SecureServer } from 'node:http2';
import type { Socket } from 'node:net';
import type { Runtime } from '../runtime/runtime.ts';

/** A handshake takes the better part of a millisecond, or two: so many are begun in one turn of the event loop. */
const HANDSHAKES_PER_TURN = 4;

/**
 * Lets connections that come all at once begin a few at a time, so that their handshakes do not keep those waiting who are
 * connected already. A connection that waits has not been read from.
 */
export function acceptInTurn(server: Http2SecureServer, runtime: Runtime): void {
  const begin = server.listeners('connection');
  server.removeAllListeners('connection');
  let waiting: Socket[] = [];
  /** How many of those have begun. */
  let begun = 0;
  const next = (): void => {
    const now = waiting.slice(begun, begun + HANDSHAKES_PER_TURN);
    begun += now.length;
    if (begun === waiting.length) [waiting, begun] = [[], 0];
    else runtime.soon(next);
    for (const socket of now) {
      if (!socket.destroyed) for (const listener of begin) listener.call(server, socket);
    }
  };
  server.on('connection', (socket: Socket) => {
    // Nobody else listens yet: a connection that breaks while it waits is dropped.
    if (waiting.push(socket) === 1) runtime.soon(next);
  });
}

/** How often it is told that connections are refused. */
const TOLD_EVERY_MS = 10_000;

/** Closes connections beyond so many as soon as they come, and tells so now and then. */
export function refuseBeyond(
  server: Http2SecureServer,
  most: number,
  runtime: Runtime,
  tell: ((open: number) => void) | undefined,
): void {
  let told = Number.NEGATIVE_INFINITY;
  server.maxConnections = most;
  server.on('drop', () => {
    if (runtime.monotonic() - told < TOLD_EVERY_MS) return;
    told = runtime.monotonic();
    tell?.(most);
  });
}
