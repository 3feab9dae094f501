import { Duplex } from 'node:stream';
import { ConnectionWasClosed, NoAnswerInTime } from '../../outbound/failures.ts';
import type { Runtime, Timer } from '../../runtime/runtime.ts';
import { ByteReader } from './byte-reader.ts';
import { HeaderReader, HeaderWriter } from './spdy-compression.ts';
import {
  controlFrame,
  dataFrame,
  FIN,
  FRAME_TYPES,
  type FrameHead,
  HEAD_LENGTH,
  type Headers,
  headerBlock,
  IDENTIFIER,
  readHead,
  words,
} from './spdy-frames.ts';

const MOST_CONTROL_BYTES = 64 * 1024;
/** Data is passed on in pieces of so much, whatever a frame says. */
const MOST_PIECE = 64 * 1024;
const MOST_SENT_BYTES = 32 * 1024;
const REPLY_TIMEOUT_MS = 30_000;
const PING_MS = 10_000;
const SILENCE_MS = 60_000;
const CANCEL = 5;

/**
 * The client's half of SPDY 3.1 on a connection that has changed to it. Servers of this interface neither keep nor heed
 * windows, so a reader that is slow stops the whole connection.
 */
export class SpdySession {
  readonly #socket: Duplex;
  readonly #runtime: Runtime;
  readonly #headers = new HeaderWriter();
  readonly #incoming = new HeaderReader();
  readonly #streams = new Map<number, SpdyStream>();
  #nextStream = 1;
  #nextPing = 1;
  #failure: Error | undefined;
  #onClose: () => void = () => {};
  #heardAt: number;
  #timer: Timer;

  constructor(socket: Duplex, runtime: Runtime) {
    this.#socket = socket.on('error', (error) => this.close(error));
    this.#runtime = runtime;
    this.#heardAt = runtime.monotonic();
    this.#timer = this.#watchSilence();
    this.#run().catch((error: Error) => this.close(error));
  }

  /** Resolves when the server has agreed to it. */
  open(headers: Headers): Promise<Duplex> {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = this.#nextStream;
    this.#nextStream += 2;
    const stream = new SpdyStream(id, this.#socket, () => this.#streams.delete(id));
    this.#streams.set(id, stream);
    const block = this.#headers.write(headerBlock(headers));
    this.#socket.write(controlFrame(FRAME_TYPES.synStream, 0, Buffer.concat([words(id, 0), Buffer.of(0, 0), block])));
    const timer = this.#runtime.after(REPLY_TIMEOUT_MS, () => stream.destroy(new NoAnswerInTime('no stream in time')));
    return stream.replied.finally(() => timer.cancel()).then(() => stream);
  }

  /** Calls back once, when no more streams can be opened. */
  onClose(callback: () => void): void {
    this.#onClose = callback;
    if (this.#failure) callback();
  }

  close(error: Error = new ConnectionWasClosed('the connection was closed')): void {
    if (this.#failure) return;
    this.#failure = error;
    this.#timer.cancel();
    this.#incoming.close();
    for (const stream of this.#streams.values()) stream.destroy(error);
    this.#socket.destroy();
    this.#onClose();
  }

  async #run(): Promise<void> {
    const reader = new ByteReader(this.#socket);
    for (;;) {
      const head = readHead(await reader.exactly(HEAD_LENGTH));
      this.#heardAt = this.#runtime.monotonic();
      if (head.type === undefined) await this.#takeData(head, reader);
      else {
        if (head.length > MOST_CONTROL_BYTES) throw new Error('a frame is too long');
        await this.#takeControl(head.type, head.flags, await reader.exactly(head.length));
      }
    }
  }

  async #takeData({ stream: id, flags, length }: FrameHead, reader: ByteReader): Promise<void> {
    for (let left = length; left > 0; ) {
      const piece = await reader.some(Math.min(left, MOST_PIECE));
      left -= piece.length;
      await this.#streams.get(id)?.receive(piece);
    }
    if (flags & FIN) this.#streams.get(id)?.finish();
  }

  async #takeControl(type: number, flags: number, payload: Buffer): Promise<void> {
    const id = payload.length >= 4 ? payload.readUInt32BE(0) & IDENTIFIER : 0;
    const stream = this.#streams.get(id);
    if (type === FRAME_TYPES.synReply || type === FRAME_TYPES.headers) {
      // Nobody asks for what they say, but each is part of what the next one is compressed with.
      await this.#incoming.read(payload.subarray(4));
      stream?.reply();
      if (flags & FIN) stream?.finish();
    } else if (type === FRAME_TYPES.synStream) {
      await this.#incoming.read(payload.subarray(10));
      this.#socket.write(controlFrame(FRAME_TYPES.reset, 0, words(id, CANCEL)));
    } else if (type === FRAME_TYPES.reset) stream?.destroy(new ConnectionWasClosed('the server reset the stream'));
    // Our own questions have odd numbers.
    else if (type === FRAME_TYPES.ping && id % 2 === 0) this.#socket.write(controlFrame(type, 0, payload));
  }

  #watchSilence(): Timer {
    return this.#runtime.after(PING_MS, () => {
      const isBehind = [...this.#streams.values()].some(({ isFull }) => isFull);
      if (isBehind) this.#heardAt = this.#runtime.monotonic();
      if (this.#runtime.monotonic() - this.#heardAt >= SILENCE_MS) {
        this.close(new NoAnswerInTime('the server gave no sign of life'));
        return;
      }
      this.#socket.write(controlFrame(FRAME_TYPES.ping, 0, words(this.#nextPing)));
      this.#nextPing = (this.#nextPing + 2) & IDENTIFIER;
      this.#timer = this.#watchSilence();
    });
  }
}

class SpdyStream extends Duplex {
  readonly #id: number;
  readonly #socket: Duplex;
  readonly #onGone: () => void;
  readonly replied: Promise<void>;
  reply: () => void = () => {};
  #refuse: (error: Error) => void = () => {};
  #wake: (() => void) | undefined;
  #isFinished = false;

  constructor(id: number, socket: Duplex, onGone: () => void) {
    super({ allowHalfOpen: true });
    this.#id = id;
    this.#socket = socket;
    this.#onGone = onGone;
    this.replied = new Promise((resolve, reject) => {
      this.reply = resolve;
      this.#refuse = reject;
    });
    this.replied.catch(() => {});
    this.on('error', () => {});
  }

  get isFull(): boolean {
    return this.#wake !== undefined;
  }

  /** Resolves when whoever reads wants more. */
  async receive(part: Buffer): Promise<void> {
    if (this.#isFinished || this.destroyed || this.push(part)) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  finish(): void {
    if (this.#isFinished || this.destroyed) return;
    this.#isFinished = true;
    this.push(null);
  }

  override _read(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  override _write(part: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    for (let at = 0; at < part.length; at += MOST_SENT_BYTES) {
      const isLast = at + MOST_SENT_BYTES >= part.length;
      const frame = dataFrame(this.#id, 0, part.subarray(at, at + MOST_SENT_BYTES));
      this.#socket.write(frame, isLast ? done : undefined);
    }
    if (part.length === 0) done();
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.write(dataFrame(this.#id, FIN, Buffer.alloc(0)), done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#wake?.();
    this.#refuse(error ?? new ConnectionWasClosed('the stream was closed'));
    const isOver = this.#isFinished && this.writableFinished;
    if (!isOver && !this.#socket.destroyed) {
      this.#socket.write(controlFrame(FRAME_TYPES.reset, 0, words(this.#id, CANCEL)));
    }
    this.#onGone();
    done(error);
  }
}
