import { Messages } from './grpc-messages.ts';
import type { Fields } from './hpack.ts';
import type { Ending, StreamListener } from './http2-stream.ts';

/** How calls end badly, by gRPC's numbers. */
export const CODE = { deadlineExceeded: 4, resourceExhausted: 8, outOfRange: 11, unavailable: 14 } as const;

/** Where an error is from: the server itself, the way to it, or, when nothing was sent, neither. */
export type Source = 'server' | 'transport' | 'unsent';

export class GrpcError extends Error {
  override readonly name = 'GrpcError';
  readonly code: number;
  readonly from: Source;

  constructor(code: number, message: string, from: Source) {
    super(message);
    this.code = code;
    this.from = from;
  }
}

/** One call, from what comes back of it. `onEnd` is told what went wrong, if anything did. */
export class Call implements StreamListener {
  readonly #messages: Messages;
  readonly #onEnd: (error: GrpcError | undefined) => void;
  #status: GrpcError | 'none' | undefined = 'none';

  constructor(onMessage: (message: Buffer) => void, onEnd: (error: GrpcError | undefined) => void, mostBytes?: number) {
    this.#messages = new Messages(onMessage, mostBytes);
    this.#onEnd = onEnd;
  }

  onHeaders(fields: Fields): void {
    if (fields.has('grpc-status')) this.#status = statusIn(fields);
  }

  onData(chunk: Buffer): void {
    this.#messages.take(chunk);
  }

  onEnd(ending: Ending): void {
    if (ending === 'unseen') this.#onEnd(new GrpcError(CODE.unavailable, 'the connection was closed', 'unsent'));
    else if (this.#status !== 'none') this.#onEnd(this.#status);
    else this.#onEnd(new GrpcError(CODE.unavailable, 'the connection was lost', 'transport'));
  }
}

function statusIn(fields: Fields): GrpcError | undefined {
  const code = Number(fields.get('grpc-status'));
  if (code === 0) return undefined;
  return new GrpcError(code, decodeURIComponent(fields.get('grpc-message') ?? `status ${code}`), 'server');
}
