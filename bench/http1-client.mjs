import { RequestTemplate } from './request-template.mjs';

const END_OF_HEAD = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';

/** Made for load, not for use: one request at a time, and no more of the answer is looked at than tells its end. */
export class Http1Client {
  static alpn = 'http/1.1';
  /** Called with every piece of a body. */
  onPart = () => {};
  #socket;
  #onHead;
  #onAnswer;
  #head = '';
  #inBody = false;
  /** Bytes still to come; undefined in a chunked body, whose end is found by its last chunk. */
  #left;
  #bytes = 0;
  #tail = '';

  constructor(socket) {
    this.#socket = socket;
    socket.on('data', (part) => this.#take(part));
  }

  static template({ method, path, headers, body = '' }, options) {
    const lines = [`${method} ${path} HTTP/1.1`, 'host: localhost'];
    for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
    if (body !== '') lines.push(`content-length: ${Buffer.byteLength(body)}`);
    return new RequestTemplate(Buffer.from(`${lines.join('\r\n')}${END_OF_HEAD}${body}`), options);
  }

  /** `onAnswer` is told the length of the whole body; `onHead`, if given, that the answer has begun. */
  send(template, serial, onAnswer, onHead) {
    this.#onAnswer = onAnswer;
    this.#onHead = onHead;
    this.#socket.write(template.stamp(serial));
  }

  /** Reads nothing more. */
  pause() {
    this.#socket.pause();
  }

  close() {
    this.#socket.destroy();
  }

  #take(part) {
    if (this.#inBody) this.#takeBody(part);
    else this.#takeHead(part);
  }

  #takeHead(part) {
    this.#head += part.toString('latin1');
    const end = this.#head.indexOf(END_OF_HEAD);
    if (end < 0) return;
    const head = this.#head.slice(0, end).toLowerCase();
    const rest = this.#head.length - end - END_OF_HEAD.length;
    this.#head = '';
    const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
    this.#left = length === undefined ? undefined : Number(length);
    this.#inBody = true;
    this.#bytes = 0;
    this.#onHead?.();
    if (rest > 0 || this.#left === 0) this.#takeBody(part.subarray(part.length - rest));
  }

  #takeBody(part) {
    this.#bytes += part.length;
    this.onPart(part);
    if (this.#left === undefined ? this.#isLastChunk(part) : this.#bytes >= this.#left) {
      this.#inBody = false;
      this.#onAnswer(this.#bytes);
    }
  }

  #isLastChunk(part) {
    this.#tail = (this.#tail + part.toString('latin1', Math.max(0, part.length - 5))).slice(-5);
    return this.#tail === LAST_CHUNK;
  }
}
