import type { Readable } from 'node:stream';
import { type Io, write } from '../frame/io.ts';

/** A line that is longer is passed on in pieces. */
const MOST_LINE_BYTES = 1024 * 1024;
const NEWLINE = 10;
/** Cyan, green, yellow, blue, magenta, red, and the bright ones: told apart on dark and light ground. */
const COLOURS = [36, 32, 33, 34, 35, 31, 96, 92, 93, 94, 95, 91];

/** What stands before each line of a log; in a colour of its own on a terminal. */
export class LinePrefix {
  readonly bytes: Buffer;

  constructor(text: string, number: number, { stdout, env }: Io) {
    const isColoured = stdout.isTTY === true && !env.NO_COLOR;
    const colour = COLOURS[number % COLOURS.length];
    this.bytes = Buffer.from(isColoured ? `\u001b[${colour}m${text}\u001b[0m` : text);
  }
}

/** Writes a log as it comes, by whole lines where each has a prefix. */
export async function copyLog(log: Readable, { stdout }: Io, prefix: LinePrefix | undefined): Promise<void> {
  let begun: Buffer = Buffer.alloc(0);
  for await (const part of log as AsyncIterable<Buffer>) {
    if (!prefix) {
      await write(stdout, part);
      continue;
    }
    const all = Buffer.concat([begun, part]);
    const end = all.lastIndexOf(NEWLINE) + 1;
    const whole = all.length - end > MOST_LINE_BYTES ? all.length : end;
    begun = all.subarray(whole);
    if (whole > 0) await write(stdout, withPrefix(all.subarray(0, whole), prefix.bytes));
  }
  if (prefix && begun.length > 0) await write(stdout, Buffer.concat([prefix.bytes, begun]));
}

function withPrefix(lines: Buffer, prefix: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < lines.length; ) {
    const found = lines.indexOf(NEWLINE, at);
    const end = found < 0 ? lines.length : found + 1;
    parts.push(prefix, lines.subarray(at, end));
    at = end;
  }
  return Buffer.concat(parts);
}
