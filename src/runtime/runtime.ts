import { randomBytes, randomUUID } from 'node:crypto';

/** Handle of a timer started through a Runtime. */
export interface Timer {
  cancel(): void;
}

/**
 * Time and chance, handed to everything that needs them. Nothing else in the server reads a clock, starts a timer or
 * draws a random number, so that a seeded Runtime replays a whole server exactly.
 */
export interface Runtime {
  /** Milliseconds since the epoch; may jump. Use for time stamps. */
  now(): number;
  /** Milliseconds on a clock that only goes forward. Use for durations. */
  monotonic(): number;
  /** Calls back once, no earlier than `milliseconds` from now. Does not keep the process alive. */
  after(milliseconds: number, callback: () => void): Timer;
  /** Calls back in the next turn of the event loop, after what came in meanwhile has been heard. */
  soon(callback: () => void): void;
  /** A random (version 4) UUID. */
  uuid(): string;
  /** Uniform in [0, 1). Not for secrets. */
  random(): number;
  /** Random bytes fit for secrets and serial numbers. */
  bytes(count: number): Buffer;
}

const NO_TEXTS: ReadonlySet<string> = new Set();

/**
 * The same text in one piece. Node puts a UUID together of fourteen texts, which would all be kept for as long as it is; the
 * engine joins them when it looks for the text somewhere.
 */
function inOnePiece(text: string): string {
  NO_TEXTS.has(text);
  return text;
}

export const systemRuntime: Runtime = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
  soon: (callback) => {
    setImmediate(callback);
  },
  uuid: () => inOnePiece(randomUUID()),
  random: () => Math.random(),
  bytes: (count) => randomBytes(count),
};

/** Resolves after `milliseconds` of the runtime's time. */
export function sleep(runtime: Runtime, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    runtime.after(milliseconds, resolve);
  });
}
