import { RequestTemplate } from './request-template.mjs';

const FRAME_HEAD = 9;
const [DATA, HEADERS, SETTINGS, PING, GOAWAY, WINDOW_UPDATE] = [0, 1, 4, 6, 7, 8];
const [END_STREAM, END_HEADERS, ACK] = [1, 4, 1];
const INITIAL_WINDOW_SIZE = 4;
const LARGEST_WINDOW = 0x7fffffff;
const DEFAULT_WINDOW = 65_535;
/** The connection's window is opened again after this many bytes. */
const REOPEN_AFTER = 256 << 20;

/**
 * Made for load, not for use: requests are ready-made frames, answers are counted by their frame heads, header blocks
 * are not decoded. Uploads do not wait for the server's window: keep what is under way on one connection below 32 KB.
 */
export class Http2Client {
  static alpn = 'h2';
  /** Called with every piece of a body. */
  onPart = () => {};
  #socket;
  #answers = new Map();
  #nextStream = 1;
  #head = Buffer.alloc(FRAME_HEAD);
  #headBytes = 0;
  #payload = 0;
  #unacknowledged = 0;

  constructor(socket) {
    this.#socket = socket;
    const window = Buffer.alloc(6);
    window.writeUInt16BE(INITIAL_WINDOW_SIZE);
    window.writeUInt32BE(LARGEST_WINDOW, 2);
    socket.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(SETTINGS, 0, window)]));
    this.#openWindow(LARGEST_WINDOW - DEFAULT_WINDOW);
    socket.on('data', (part) => this.#take(part));
  }

  static template({ method, path, headers, body = '' }, options) {
    const fields = { ':method': method, ':scheme': 'https', ':authority': 'localhost', ':path': path, ...headers };
    const block = Buffer.concat(Object.entries(fields).flatMap(([name, value]) => literal(name, value)));
    const head = frame(HEADERS, body === '' ? END_HEADERS | END_STREAM : END_HEADERS, block);
    if (body === '') return new RequestTemplate(head, { ...options, frames: [5] });
    const data = frame(DATA, END_STREAM, Buffer.from(body));
    return new RequestTemplate(Buffer.concat([head, data]), { ...options, frames: [5, head.length + 5] });
  }

  /** `onAnswer` is told the length of the whole body; `onHead`, if given, that the answer has begun. */
  send(template, serial, onAnswer, onHead) {
    const id = this.#nextStream;
    this.#nextStream += 2;
    this.#answers.set(id, { bytes: 0, onAnswer, onHead });
    this.#socket.write(template.stamp(serial, id));
  }

  /** Reads nothing more. */
  pause() {
    this.#socket.pause();
  }

  close() {
    this.#socket.destroy();
  }

  #take(part) {
    for (let at = 0; at < part.length; ) {
      if (this.#payload === 0) {
        this.#head[this.#headBytes++] = part[at++];
        if (this.#headBytes === FRAME_HEAD) this.#beginFrame();
        continue;
      }
      const end = Math.min(at + this.#payload, part.length);
      if (this.#head[3] === DATA) this.onPart(part.subarray(at, end));
      this.#payload -= end - at;
      at = end;
      if (this.#payload === 0) this.#endFrame();
    }
  }

  #beginFrame() {
    this.#headBytes = 0;
    this.#payload = this.#head.readUIntBE(0, 3);
    if (this.#payload === 0) this.#endFrame();
    else if (this.#head[3] === DATA) this.#count(this.#payload);
  }

  #count(length) {
    const answer = this.#answers.get(this.#head.readUInt32BE(5));
    if (answer) answer.bytes += length;
    this.#unacknowledged += length;
    if (this.#unacknowledged < REOPEN_AFTER) return;
    this.#openWindow(this.#unacknowledged);
    this.#unacknowledged = 0;
  }

  #endFrame() {
    const [type, flags] = [this.#head[3], this.#head[4]];
    if (type === SETTINGS && !(flags & ACK)) this.#socket.write(frame(SETTINGS, ACK, Buffer.alloc(0)));
    if (type === PING || type === GOAWAY) throw new Error(`the server sent a frame of type ${type}, not expected here`);
    if (type !== DATA && type !== HEADERS) return;
    const id = this.#head.readUInt32BE(5);
    const answer = this.#answers.get(id);
    if (!answer) return;
    if (type === HEADERS) answer.onHead?.();
    if (!(flags & END_STREAM)) return;
    this.#answers.delete(id);
    answer.onAnswer(answer.bytes);
  }

  #openWindow(bytes) {
    const increment = Buffer.alloc(4);
    increment.writeUInt32BE(bytes);
    this.#socket.write(frame(WINDOW_UPDATE, 0, increment));
  }
}

/** A frame of stream 0; a template writes another stream over it. */
function frame(type, flags, payload) {
  const head = Buffer.alloc(FRAME_HEAD);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  return Buffer.concat([head, payload]);
}

/** A header field as HPACK writes it without tables and without compression, so that its text can be written over. */
const literal = (name, value) => [Buffer.from([0]), ...sized(name), ...sized(value)];

function sized(text) {
  const bytes = Buffer.from(text);
  if (bytes.length < 127) return [Buffer.from([bytes.length]), bytes];
  const length = [127];
  let rest = bytes.length - 127;
  for (; rest >= 128; rest >>= 7) length.push((rest & 127) | 128);
  return [Buffer.from([...length, rest]), bytes];
}
