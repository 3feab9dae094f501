import type { Socket } from 'node:net';
import type { Runtime, Timer } from '../../runtime/runtime.ts';
import { DEFAULT_WINDOW, FLAG, FRAME, FRAME_BYTES, frameHead } from './frames.ts';
import type { Http2Stream } from './http2-stream.ts';

/** How long something that nobody waits for may wait for something else to go. */
const IDLE_MS = 10;

/** What goes to a peer: in one piece for each turn of the event loop, and data only as far as the peer takes it. */
export class Http2Sender {
  readonly #socket: Socket;
  readonly #runtime: Runtime;
  readonly #blocked = new Set<Http2Stream>();
  #out: Buffer[] = [];
  #flushing = false;
  #idling: Timer | undefined;
  #window = DEFAULT_WINDOW;
  #opened = 0;
  #flushed = 0;

  constructor(socket: Socket, runtime: Runtime) {
    this.#socket = socket;
    this.#runtime = runtime;
  }

  /** The last stream of which anything was handed to the system. */
  get flushed(): number {
    return this.#flushed;
  }

  write(...buffers: Buffer[]): void {
    for (const buffer of buffers) this.#out.push(buffer);
    if (this.#flushing) return;
    this.#flushing = true;
    this.#runtime.soon(() => this.#flush());
  }

  /** As `write`, with the next that is written, or by itself if nothing is for a while: a piece costs much, however small. */
  writeWithNext(buffer: Buffer): void {
    this.#out.push(buffer);
    if (this.#flushing || this.#idling !== undefined) return;
    this.#idling = this.#runtime.after(IDLE_MS, () => this.#flush());
  }

  /** As `write`, of the headers that begin a stream. */
  begin(stream: Http2Stream, headers: Buffer): void {
    this.#opened = stream.id;
    this.write(headers);
  }

  /** Sends as much of what waits as the peer takes. */
  pump(stream: Http2Stream): void {
    const { pending } = stream;
    for (let next = pending[0]; next !== undefined; next = pending[0]) {
      const count = Math.min(next.length, stream.window, this.#window, FRAME_BYTES);
      if (count <= 0 && next.length > 0) {
        this.#blocked.add(stream);
        return;
      }
      const isWhole = count === next.length;
      const isEnd = isWhole && stream.last && pending.length === 1;
      this.write(frameHead(count, FRAME.data, isEnd ? FLAG.endStream : 0, stream.id), next.subarray(0, count));
      stream.window -= count;
      this.#window -= count;
      if (isWhole) pending.shift();
      else pending[0] = next.subarray(count);
    }
    this.#blocked.delete(stream);
  }

  /** The peer takes so much more, of all streams together. */
  widen(bytes: number): void {
    this.#window += bytes;
    this.pumpAll();
  }

  pumpAll(): void {
    for (const stream of [...this.#blocked]) this.pump(stream);
  }

  forget(stream: Http2Stream): void {
    this.#blocked.delete(stream);
  }

  #flush(): void {
    this.#flushing = false;
    this.#idling?.cancel();
    this.#idling = undefined;
    const out = this.#out;
    this.#out = [];
    if (out.length === 0 || this.#socket.destroyed) return;
    this.#flushed = this.#opened;
    this.#socket.write(Buffer.concat(out));
  }
}
