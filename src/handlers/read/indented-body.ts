import type { BodySource } from '../../http/message.ts';

/** Larger documents are for programs, which read them as they are: to count their lines would hold others up. */
export const MOST_INDENTED_BYTES = 8 << 20;

const [QUOTE, BACKSLASH, COMMA, COLON, SPACE, NEWLINE] = [34, 92, 44, 58, 32, 10];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];
const STEP = 2;

/**
 * JSON as a person reads it: two spaces a level, and a newline at the end. It is made of the bytes, without reading what
 * they mean, and piece by piece while it is sent.
 */
export class IndentedBody implements BodySource {
  readonly length: number;
  readonly #json: Buffer;
  readonly #layout = new Layout();
  #at = 0;
  #ended = false;

  constructor(json: Buffer) {
    this.#json = json;
    this.length = lengthOf(json);
  }

  get done(): boolean {
    return this.#ended;
  }

  /** `scratch` must have room for one line's indentation, or for all that is left. */
  next(scratch: Buffer): Buffer {
    const [json, layout] = [this.#json, this.#layout];
    let end = 0;
    for (; this.#at < json.length; this.#at++) {
      const byte = json[this.#at] ?? 0;
      if (end + layout.sizeOf(byte) > scratch.length) return scratch.subarray(0, end);
      end = layout.write(byte, scratch, end);
    }
    if (end < scratch.length) {
      scratch[end++] = NEWLINE;
      this.#ended = true;
    }
    return scratch.subarray(0, end);
  }
}

function lengthOf(json: Buffer): number {
  const layout = new Layout();
  let length = 1;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0;
    length += layout.sizeOf(byte);
    layout.pass(byte);
  }
  return length;
}

/** Where in a document one is, which decides what stands before and after a byte of it. */
class Layout {
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** After an opening bracket: what comes next goes on a line of its own, unless it closes. */
  #opened = false;

  /** How many bytes this one becomes. */
  sizeOf(byte: number): number {
    if (this.#inString) return 1;
    if (isBlank(byte)) return 0;
    if (byte === COMMA) return 2 + STEP * this.#depth;
    if (byte === COLON) return 2;
    if (isClosing(byte)) return this.#opened ? 1 : 2 + STEP * (this.#depth - 1);
    return this.#opened ? 2 + STEP * this.#depth : 1;
  }

  /** Writes the byte and what belongs to it; returns where that ends. */
  write(byte: number, target: Buffer, at: number): number {
    if (this.#inString) {
      target[at] = byte;
      this.pass(byte);
      return at + 1;
    }
    if (isBlank(byte)) return at;
    let end = at;
    const closing = isClosing(byte);
    if (closing ? !this.#opened : this.#opened) end = writeLine(target, end, closing ? this.#depth - 1 : this.#depth);
    target[end++] = byte;
    if (byte === COMMA) end = writeLine(target, end, this.#depth);
    else if (byte === COLON) target[end++] = SPACE;
    this.pass(byte);
    return end;
  }

  pass(byte: number): void {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) this.#inString = false;
      return;
    }
    if (isBlank(byte)) return;
    this.#opened = byte === OPEN_OBJECT || byte === OPEN_LIST;
    if (this.#opened) this.#depth++;
    else if (isClosing(byte)) this.#depth--;
    else if (byte === QUOTE) this.#inString = true;
  }
}

const isClosing = (byte: number): boolean => byte === CLOSE_OBJECT || byte === CLOSE_LIST;

/** Space, tab, newline, carriage return. */
const isBlank = (byte: number): boolean => byte === SPACE || byte === NEWLINE || byte === 9 || byte === 13;

function writeLine(target: Buffer, at: number, depth: number): number {
  target[at] = NEWLINE;
  const end = at + 1 + STEP * depth;
  target.fill(SPACE, at + 1, end);
  return end;
}
