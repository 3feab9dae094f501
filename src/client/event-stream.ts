import type { Readable } from 'node:stream';
import type { Runtime, Timer } from '../runtime/runtime.ts';

/** The longest event that is read: far more than the largest object. */
const MOST_CHARACTERS = 64 * 2 ** 20;

/** Something that is told in a watch, as it was sent. */
export interface SentEvent {
  readonly type: string;
  readonly object: unknown;
}

/** A watch told nothing for so long that its connection is taken for dead. */
export class WatchIsIdle extends Error {}

/** The events of a watch, to its end. Throws when nothing at all has come for `idleMs`. */
export async function* eventsIn(stream: Readable, runtime: Runtime, idleMs: number): AsyncGenerator<SentEvent> {
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

/** Whole lines, as many as came at once. What is left at the end is half of one. */
async function* linesIn(stream: Readable): AsyncGenerator<readonly string[]> {
  let begun: string[] = [];
  let length = 0;
  stream.setEncoding('utf8');
  for await (const part of stream as AsyncIterable<string>) {
    const end = part.lastIndexOf('\n');
    if (end < 0) {
      begun.push(part);
      length += part.length;
      if (length > MOST_CHARACTERS) throw new Error('an event is too large');
      yield [];
    } else {
      const whole = begun.join('') + part.slice(0, end);
      begun = [part.slice(end + 1)];
      length = part.length - end - 1;
      yield whole.split('\n');
    }
  }
}
