import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { PassingMap } from '../../runtime/passing-map.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import {
  DEFAULT_WINDOW,
  FLAG,
  FRAME,
  FrameReader,
  frame,
  numberFrame,
  PREFACE,
  readSettings,
  SETTING,
  settingsFrame,
  unpadded,
} from './frames.ts';
import { CallEncoder, FieldsDecoder, HeaderBlocks } from './hpack.ts';
import { Http2Sender } from './http2-sender.ts';
import { type Ending, type Http2Stream, newStream, type StreamListener } from './http2-stream.ts';

export interface Tls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

const CONNECT_MS = 1_500;
const WINDOW_BYTES = 8 << 20;
const REFUSED_STREAM = 7;
const CANCEL = 8;
const LAST_ID = 0x7fffffff;
const PING_BYTES = 8;
const DEFAULT_TABLE = 4096;

/**
 * A client's end of an HTTP/2 connection, made for many short calls: each costs a few small buffers, where Node's own
 * client makes a duplex stream with all its events.
 */
export class Http2Connection {
  readonly #runtime: Runtime;
  readonly #socket: Socket;
  readonly #sender: Http2Sender;
  readonly #reader: FrameReader;
  readonly #blocks = new HeaderBlocks();
  readonly #decoder = new FieldsDecoder();
  readonly #streams = new PassingMap<number, Http2Stream>();
  /** Streams that the peer has no room for yet. */
  readonly #waiting = new Set<Http2Stream>();
  readonly #onClose: ((reason: string) => void)[] = [];
  #encoder: CallEncoder | undefined;
  #nextId = 1;
  #initialWindow = DEFAULT_WINDOW;
  #mostStreams = Number.POSITIVE_INFINITY;
  #received = 0;
  #closed = false;
  #leaving = false;
  #reason = 'the connection was lost';
  /** When anything came from the peer last. */
  heardAt: number;

  private constructor(socket: Socket, runtime: Runtime, endpoint: URL, onReady: () => void) {
    this.#socket = socket;
    this.#runtime = runtime;
    this.#sender = new Http2Sender(socket, runtime);
    this.heardAt = runtime.monotonic();
    this.#reader = new FrameReader((type, flags, id, payload) => {
      const isGreeting = this.#encoder === undefined && type === FRAME.settings;
      if (!isGreeting) return this.#take(type, flags, id, payload);
      this.#encoder = new CallEncoder(endpoint, this.#adopt(payload));
      onReady();
    });
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', (error) => {
      this.#reason = error.message;
    });
    socket.on('close', () => this.#end());
    const settings = {
      [SETTING.headerTableSize]: 0,
      [SETTING.enablePush]: 0,
      [SETTING.initialWindowSize]: WINDOW_BYTES,
    };
    const window = numberFrame(FRAME.windowUpdate, 0, WINDOW_BYTES - DEFAULT_WINDOW);
    this.#sender.write(PREFACE, settingsFrame(settings), window);
  }

  /** Resolves once the peer has spoken HTTP/2; rejects with a plain Error. */
  static connect(endpoint: string, tls: Tls, runtime: Runtime): Promise<Http2Connection> {
    const url = new URL(endpoint);
    return new Promise((resolve, reject) => {
      const connection = new Http2Connection(socketTo(url, tls), runtime, url, () => {
        timer.cancel();
        resolve(connection);
      });
      const timer = runtime.after(CONNECT_MS, () => connection.close('no answer'));
      connection.onClose((reason) => {
        timer.cancel();
        reject(new Error(reason));
      });
    });
  }

  /** Takes new streams. */
  get usable(): boolean {
    return !this.#closed && !this.#leaving && this.#nextId < LAST_ID;
  }

  get closed(): boolean {
    return this.#closed;
  }

  onClose(callback: (reason: string) => void): void {
    if (this.#closed) callback(this.#reason);
    else this.#onClose.push(callback);
  }

  /** Undefined when the connection takes no new streams. */
  open(path: string, listener: StreamListener): Http2Stream | undefined {
    if (!this.usable) return undefined;
    const stream = newStream(path, listener);
    if (this.#streams.size < this.#mostStreams) this.#begin(stream);
    else this.#waiting.add(stream);
    return stream;
  }

  send(stream: Http2Stream, bytes: Buffer, last: boolean): void {
    stream.pending.push(bytes);
    stream.last = last;
    if (this.#streams.has(stream.id)) this.#sender.pump(stream);
  }

  /** Nothing more is wanted of the stream; its listener is not called again. */
  cancel(stream: Http2Stream): void {
    this.#waiting.delete(stream);
    if (!this.#forget(stream)) return;
    this.#sender.write(numberFrame(FRAME.reset, stream.id, CANCEL));
    this.#goOn();
  }

  /** Has the peer say something. */
  ping(): void {
    this.#sender.write(frame(FRAME.ping, 0, 0, Buffer.alloc(PING_BYTES)));
  }

  /** Takes no new streams, and ends when those that are there have. */
  leave(): void {
    this.#leaving = true;
    this.#goOn();
  }

  close(reason = 'the connection was closed'): void {
    if (!this.#closed) this.#reason = reason;
    this.#socket.destroy();
    this.#end();
  }

  #begin(stream: Http2Stream): void {
    if (this.#encoder === undefined) throw new Error('the peer has not spoken yet');
    stream.id = this.#nextId;
    this.#nextId += 2;
    stream.window = this.#initialWindow;
    this.#streams.set(stream.id, stream);
    const headers = frame(FRAME.headers, FLAG.endHeaders, stream.id, this.#encoder.encode(stream.path));
    this.#sender.begin(stream, headers);
    this.#sender.pump(stream);
  }

  #receive(chunk: Buffer): void {
    this.heardAt = this.#runtime.monotonic();
    try {
      this.#reader.take(chunk);
    } catch (error) {
      this.close(error instanceof Error ? error.message : String(error));
    }
  }

  #take(type: number, flags: number, id: number, payload: Buffer): void {
    const block = this.#blocks.take(type, flags, id, payload);
    if (block !== undefined) this.#takeHeaders(block.id, block.flags, block.bytes);
    else if (type === FRAME.data) this.#takeData(id, flags, payload);
    else if (type === FRAME.windowUpdate) this.#widen(id, payload.readUInt32BE(0));
    else if (type === FRAME.reset) this.#finish(id, payload.readUInt32BE(0) === REFUSED_STREAM ? 'unseen' : 'broken');
    else if (type === FRAME.ping) this.#takePing(flags, payload);
    else if (type === FRAME.goAway) this.#takeGoAway(payload);
    else if (type === FRAME.settings && !(flags & FLAG.ack)) this.#adopt(payload);
  }

  /** Returns the size of the table that the peer keeps of our headers. */
  #adopt(payload: Buffer): number {
    let tableSize = DEFAULT_TABLE;
    for (const [name, value] of readSettings(payload)) {
      if (name === SETTING.headerTableSize) tableSize = value;
      if (name === SETTING.maxStreams) this.#mostStreams = value;
      if (name !== SETTING.initialWindowSize) continue;
      for (const stream of this.#streams.values()) stream.window += value - this.#initialWindow;
      this.#initialWindow = value;
    }
    this.#sender.write(frame(FRAME.settings, FLAG.ack, 0, Buffer.alloc(0)));
    this.#sender.pumpAll();
    return tableSize;
  }

  #takeData(id: number, flags: number, payload: Buffer): void {
    this.#received = this.#giveBack(0, this.#received + payload.length);
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    stream.received = this.#giveBack(id, stream.received + payload.length);
    stream.listener.onData(flags & FLAG.padded ? unpadded(payload, FLAG.padded) : payload);
    if (flags & FLAG.endStream) this.#finish(id, 'complete');
  }

  /** Tells the peer that what it sent is dealt with, when that has become much; returns what it is not told of yet. */
  #giveBack(id: number, bytes: number): number {
    if (bytes < WINDOW_BYTES / 2) return bytes;
    this.#sender.write(numberFrame(FRAME.windowUpdate, id, bytes));
    return 0;
  }

  #takeHeaders(id: number, flags: number, block: Buffer): void {
    const fields = this.#decoder.decode(block);
    this.#streams.get(id)?.listener.onHeaders(fields);
    if (flags & FLAG.endStream) this.#finish(id, 'complete');
  }

  /** etcd pings with every answer, to learn how fast we are, and is in no hurry. */
  #takePing(flags: number, payload: Buffer): void {
    if (!(flags & FLAG.ack)) this.#sender.writeWithNext(frame(FRAME.ping, FLAG.ack, 0, Buffer.from(payload)));
  }

  /** Streams after the last that the peer names were never looked at. */
  #takeGoAway(payload: Buffer): void {
    const last = payload.readUInt32BE(0);
    this.#leaving = true;
    for (const id of [...this.#streams.keys()]) if (id > last) this.#finish(id, 'unseen');
    this.#goOn();
  }

  #widen(id: number, bytes: number): void {
    const stream = this.#streams.get(id);
    if (id === 0) this.#sender.widen(bytes);
    if (stream === undefined) return;
    stream.window += bytes;
    this.#sender.pump(stream);
  }

  #finish(id: number, ending: Ending): void {
    const stream = this.#streams.get(id);
    if (stream === undefined || !this.#forget(stream)) return;
    stream.listener.onEnd(ending);
    this.#goOn();
  }

  #forget(stream: Http2Stream): boolean {
    this.#sender.forget(stream);
    return this.#streams.delete(stream.id);
  }

  /** A stream has ended: another that waits may begin, or the connection may end. */
  #goOn(): void {
    if (this.#leaving) for (const stream of this.#waiting) this.#refuse(stream);
    else if (this.#waiting.size > 0) this.#beginNext();
    if (this.#leaving && this.#streams.size === 0) this.close();
  }

  #beginNext(): void {
    for (const stream of this.#waiting) {
      if (this.#streams.size >= this.#mostStreams) return;
      this.#waiting.delete(stream);
      this.#begin(stream);
    }
  }

  #refuse(stream: Http2Stream): void {
    if (this.#waiting.delete(stream)) stream.listener.onEnd('unseen');
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    const streams = [...this.#streams.values()];
    this.#streams.clear();
    for (const stream of this.#waiting) this.#refuse(stream);
    for (const { id, listener } of streams) listener.onEnd(id > this.#sender.flushed ? 'unseen' : 'broken');
    for (const callback of this.#onClose.splice(0)) callback(this.#reason);
  }
}

function socketTo({ protocol, hostname, port, pathname }: URL, tls: Tls): Socket {
  if (protocol === 'unix:') return connectPlain({ path: decodeURIComponent(pathname) });
  // An IPv6 address stands in brackets in a URL.
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol === 'http:') return connectPlain({ host, port: Number(port || 80) });
  const servername = isIP(host) === 0 ? { servername: host } : {};
  return connectTls({ host, port: Number(port || 443), ALPNProtocols: ['h2'], ...servername, ...tls });
}
