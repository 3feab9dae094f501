import { names } from '../api/names.ts';
import { session } from '../state/session.ts';

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const ERROR = 3;
const RESIZE = 4;

export interface TerminalEvents {
  opened(): void;
  wrote(text: string): void;
  /** Why it ended; '' where it just did. */
  ended(reason: string): void;
}

/** A shell in a container. The token goes along as a protocol, since no header can be given. */
export class TerminalConnection {
  readonly #socket: WebSocket;
  readonly #decoder = new TextDecoder();
  #reason = '';

  constructor(path: string, events: TerminalEvents) {
    const { channelV5, channelV4, bearerTokenPrefix } = names().websocketProtocols;
    const token = session.value?.token;
    const shown = token === undefined ? [] : [bearerTokenPrefix + base64url(token)];
    const url = new URL(path, location.href);
    url.protocol = 'wss:';
    this.#socket = new WebSocket(url, [channelV5, channelV4, ...shown]);
    this.#socket.binaryType = 'arraybuffer';
    this.#socket.onopen = () => events.opened();
    this.#socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => this.#take(new Uint8Array(data), events);
    this.#socket.onclose = ({ reason }) => events.ended(this.#reason || reason);
  }

  send(text: string): void {
    this.#frame(STDIN, text);
  }

  resize(width: number, height: number): void {
    this.#frame(RESIZE, JSON.stringify({ Width: width, Height: height }));
  }

  close(): void {
    this.#socket.close();
  }

  #frame(channel: number, text: string): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    const bytes = new TextEncoder().encode(text);
    const frame = new Uint8Array(bytes.length + 1);
    frame[0] = channel;
    frame.set(bytes, 1);
    this.#socket.send(frame);
  }

  #take(frame: Uint8Array, events: TerminalEvents): void {
    const [channel] = frame;
    const rest = frame.subarray(1);
    if (channel === STDOUT || channel === STDERR) events.wrote(this.#decoder.decode(rest, { stream: true }));
    else if (channel === ERROR) this.#reason = reasonIn(new TextDecoder().decode(rest));
  }
}

function reasonIn(text: string): string {
  try {
    const { status, message } = JSON.parse(text);
    return status === 'Success' ? '' : String(message ?? text);
  } catch {
    return text;
  }
}

const base64url = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');
