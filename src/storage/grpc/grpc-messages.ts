/** One byte that says "not compressed", four of length. */
const FRAME_HEADER = 5;

export function framed(message: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEADER + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  message.copy(frame, FRAME_HEADER);
  return frame;
}

/** Puts messages together from chunks that may end anywhere. */
export class Messages {
  readonly #onMessage: (message: Buffer) => void;
  #chunks: Buffer[] = [];
  #size = 0;
  readonly #mostBytes: number;
  #wanted = FRAME_HEADER;

  /** `mostBytes`: of one message. */
  constructor(onMessage: (message: Buffer) => void, mostBytes: number = Number.POSITIVE_INFINITY) {
    this.#onMessage = onMessage;
    this.#mostBytes = mostBytes;
  }

  /** Throws when a message is larger than it may be. */
  take(chunk: Buffer): void {
    if (this.#size === 0 && isOneMessage(chunk)) {
      this.#onMessage(chunk.subarray(FRAME_HEADER));
      return;
    }
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    while (this.#size >= this.#wanted) this.#advance();
  }

  /** Either the header of a message has become complete, which tells its length, or the message has. */
  #advance(): void {
    const [only] = this.#chunks;
    const bytes = this.#chunks.length === 1 && only ? only : Buffer.concat(this.#chunks);
    const end = FRAME_HEADER + bytes.readUInt32BE(1);
    if (end - FRAME_HEADER > this.#mostBytes) throw new Error(`a message of more than ${this.#mostBytes} bytes`);
    if (bytes.length < end) {
      this.#chunks = [bytes];
      this.#wanted = end;
      return;
    }
    const rest = bytes.subarray(end);
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#size = rest.length;
    this.#wanted = FRAME_HEADER;
    this.#onMessage(bytes.subarray(FRAME_HEADER, end));
  }
}

const isOneMessage = (chunk: Buffer): boolean =>
  chunk.length >= FRAME_HEADER && chunk.readUInt32BE(1) === chunk.length - FRAME_HEADER;
