import type { Readable } from 'node:stream';
import { badRequest, requestTooLarge } from '../api/errors.ts';
import { pacerOf } from '../runtime/pacing.ts';
import type { Runtime, Timer } from '../runtime/runtime.ts';
import type { BodyAccount } from './message.ts';
import { join } from './parts.ts';

/** A request body as it comes in, over either protocol. */
export interface IncomingBody {
  readonly source: Readable;
  /** Whether the client sent all of it; asked when the source ends. */
  isWhole(): boolean;
}

/** The body of a request that has none. */
export const EMPTY = Buffer.alloc(0);

/** By then a body that is not there must make progress, */
const GRACE_MS = 10_000;
/** and is looked at again after so long: */
const PACE_MS = 5_000;
/** so many bytes must have come meanwhile. */
const LEAST_BYTES = 16 * 1024 * (PACE_MS / 1000);

/**
 * Of a longer body the first part is reserved, and more when it comes: a slow sender holds little. Its parts are joined
 * when it is its turn: many may have come to their end at once.
 */
const FIRST_BYTES = 64 * 1024;

export interface BodyOptions {
  readonly limit: number;
  /** How long it may be; infinite when the client does not say. */
  readonly expected: number;
  readonly runtime: Runtime;
  /** For the whole body. */
  readonly timeout: number;
  readonly account: BodyAccount | undefined;
  /** There is room for the body to begin. */
  onRoom?(): void;
}

/**
 * Reads a body to its end. Rejects with 413 as soon as it is known to pass `limit` bytes, with 400 when the client
 * breaks off, hardly sends anything or takes longer than `timeout`. After a rejection the source is left paused with the
 * rest unread.
 */
export async function readIncoming(incoming: IncomingBody, options: BodyOptions): Promise<Buffer> {
  const { limit, expected, account } = options;
  if (expected !== Number.POSITIVE_INFINITY && expected > limit) throw requestTooLarge(limit);
  const room = account?.reserve(Math.min(expected, FIRST_BYTES));
  if (room) await room;
  options.onRoom?.();
  return new Promise((resolve, reject) => {
    new BodyReader(incoming, options, resolve, reject).start();
  });
}

class BodyReader {
  readonly #incoming: IncomingBody;
  readonly #options: BodyOptions;
  readonly #resolve: (body: Buffer) => void;
  readonly #reject: (error: unknown) => void;
  readonly #parts: Buffer[] = [];
  #length = 0;
  /** How much had come when progress was looked at last. */
  #seen = 0;
  #left: number;
  #timer: Timer | undefined;
  #isOver = false;

  constructor(
    incoming: IncomingBody,
    options: BodyOptions,
    resolve: (body: Buffer) => void,
    reject: (error: unknown) => void,
  ) {
    this.#incoming = incoming;
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#left = options.timeout;
  }

  start(): void {
    const { source } = this.#incoming;
    if (source.destroyed) this.#onBroken();
    else if (source.readableEnded) this.#onEnd();
    else {
      source.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onBroken).on('close', this.#onBroken);
      this.#lookAfter(GRACE_MS);
    }
  }

  #lookAfter(pause: number): void {
    const milliseconds = Math.min(this.#left, pause);
    this.#timer = this.#options.runtime.after(milliseconds, () => {
      this.#left -= milliseconds;
      if (this.#left <= 0) this.#fail(badRequest(`the request body did not arrive in ${this.#options.timeout} ms`));
      else if (this.#length - this.#seen < LEAST_BYTES) this.#fail(badRequest('the request body arrives too slowly'));
      else {
        this.#seen = this.#length;
        this.#lookAfter(PACE_MS);
      }
    });
  }

  readonly #onData = (part: Buffer): void => {
    const { limit, account, expected } = this.#options;
    this.#length += part.length;
    if (this.#length > limit) {
      this.#fail(requestTooLarge(limit));
      return;
    }
    this.#parts.push(part);
    if (!account || this.#length < FIRST_BYTES) return;
    try {
      const room = account.reserve(Math.min(expected, limit, 2 * this.#length));
      if (room) this.#wait(room);
    } catch (error) {
      this.#fail(error);
    }
  };

  /** Time without room is not the client's. */
  #wait(room: Promise<void>): void {
    const { source } = this.#incoming;
    source.pause();
    this.#timer?.cancel();
    room.then(
      () => {
        if (this.#isOver) return;
        this.#lookAfter(GRACE_MS);
        source.resume();
      },
      (error) => this.#fail(error),
    );
  }

  readonly #onBroken = (): void => this.#fail(badRequest('the client broke off while sending the request body'));

  readonly #onEnd = (): void => {
    if (!this.#incoming.isWhole()) {
      this.#onBroken();
      return;
    }
    this.#finish();
    if (this.#length <= FIRST_BYTES) this.#resolve(join(this.#parts, this.#length));
    else pacerOf(this.#options.runtime).run(() => this.#resolve(join(this.#parts, this.#length)));
  };

  #fail(error: unknown): void {
    this.#finish();
    this.#incoming.source.pause();
    this.#reject(error);
  }

  #finish(): void {
    this.#isOver = true;
    this.#timer?.cancel();
    const { source } = this.#incoming;
    source.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onBroken).off('close', this.#onBroken);
  }
}
