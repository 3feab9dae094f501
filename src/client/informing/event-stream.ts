import type { Runtime, Timer } from '../../runtime/runtime.ts';
import type { ByteStream } from './informed-plane.ts';

/** The longest event that is read: far more than the largest object. */
const MOST_BYTES = 64 * 2 ** 20;
const NEWLINE = 0x0a;

/** An event of a watch, as it was sent. */
export interface SentEvent {
  readonly type: string;
  readonly object: unknown;
}

/** Nothing came over a watch for so long that its connection is taken for dead. */
export class WatchIsIdle extends Error {
  override readonly name = 'WatchIsIdle';
}

/** The events of a watch, to its end. Throws when none, nor a part of one, has come for `idleMs`. */
export async function* eventsIn(stream: ByteStream, runtime: Runtime, idleMs: number): AsyncGenerator<SentEvent> {
  const expire = (): Timer =>
    runtime.after(idleMs, () => stream.destroy(new WatchIsIdle(`nothing came for ${Math.round(idleMs / 1000)} s`)));
  let timer = expire();
  try {
    for await (const lines of linesIn(stream)) {
      timer.cancel();
      timer = expire();
      for (const line of lines) if (line !== '') yield JSON.parse(line) as SentEvent;
    }
  } finally {
    timer.cancel();
    stream.destroy();
  }
}

/** Whole lines, as many as came at once. What is left at the end is a part of one, and dropped. */
async function* linesIn(stream: ByteStream): AsyncGenerator<readonly string[]> {
  let begun: Uint8Array[] = [];
  let length = 0;
  for await (const part of stream) {
    // Empty lines are what proxies keep connections open with: they say nothing of the plane.
    if (length === 0 && part.every((byte) => byte === NEWLINE)) continue;
    const end = part.lastIndexOf(NEWLINE);
    length += part.length;
    if (length > MOST_BYTES) throw new Error('an event is too large');
    if (end < 0) {
      begun.push(part);
      yield [];
    } else {
      const whole = Buffer.concat([...begun, part.subarray(0, end)]).toString();
      begun = [part.subarray(end + 1)];
      length = part.length - end - 1;
      yield whole.split('\n');
    }
  }
}
