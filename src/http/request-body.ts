import type { Readable } from 'node:stream';
import { badRequest, requestTooLarge } from '../errors.ts';
import type { Runtime } from '../runtime.ts';
import { join } from './parts.ts';

/** A request body as it comes in, over either protocol. */
export interface IncomingBody {
  readonly source: Readable;
  /** Whether the client sent all of it; asked when the source ends. */
  isWhole(): boolean;
}

/** The body of a request that has none. */
export const EMPTY = Buffer.alloc(0);

/**
 * Reads a body to its end. Rejects with 413 as soon as it is known to pass `limit` bytes, with 400 when the client
 * breaks off or takes longer than `timeout`. After a rejection the source is left paused with the rest unread.
 */
export function readIncoming(
  incoming: IncomingBody,
  limit: number,
  runtime: Runtime,
  timeout: number,
): Promise<Buffer> {
  const { source } = incoming;
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    const timer = runtime.after(timeout, () => fail(badRequest(`the request body did not arrive in ${timeout} ms`)));

    const settle = (): void => {
      timer.cancel();
      source.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
    };
    const fail = (error: Error): void => {
      settle();
      source.pause();
      reject(error);
    };
    const onBroken = (): void => fail(badRequest('the client broke off while sending the request body'));
    const onData = (part: Buffer): void => {
      length += part.length;
      if (length > limit) fail(requestTooLarge(limit));
      else parts.push(part);
    };
    const onEnd = (): void => {
      if (!incoming.isWhole()) {
        onBroken();
        return;
      }
      settle();
      resolve(join(parts, length));
    };
    if (source.destroyed) onBroken();
    else if (source.readableEnded) onEnd();
    else source.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}
