import { Duplex } from 'node:stream';
import { ByteReader } from '../../client/streams/byte-reader.ts';
import { HeaderReader, HeaderWriter } from '../../client/streams/spdy-compression.ts';
import {
  controlFrame,
  dataFrame,
  FIN,
  FRAME_TYPES,
  HEAD_LENGTH,
  type Headers,
  headerBlock,
  readHead,
  words,
} from '../../client/streams/spdy-frames.ts';

/** As much of a server of SPDY 3.1 as the agent of a node needs. */
export class SpdyPeer {
  readonly #socket: Duplex;
  readonly #onStream: (headers: Headers, stream: Duplex) => void;
  readonly #streams = new Map<number, Duplex>();
  readonly #reader = new HeaderReader();
  readonly #writer = new HeaderWriter();

  constructor(socket: Duplex, onStream: (headers: Headers, stream: Duplex) => void) {
    this.#socket = socket;
    this.#onStream = onStream;
    this.#run().catch(() => socket.destroy());
    socket.on('close', () => {
      for (const stream of this.#streams.values()) stream.push(null);
    });
  }

  async #run(): Promise<void> {
    const reader = new ByteReader(this.#socket);
    for (;;) {
      const { type, stream, flags, length } = readHead(await reader.exactly(HEAD_LENGTH));
      const payload = await reader.exactly(length);
      if (type === undefined) {
        if (length > 0) this.#streams.get(stream)?.push(payload);
        if (flags & FIN) this.#streams.get(stream)?.push(null);
      } else if (type === FRAME_TYPES.synStream) {
        await this.#accept(payload.readUInt32BE(0), payload.subarray(10), flags);
      } else if (type === FRAME_TYPES.ping) this.#socket.write(controlFrame(FRAME_TYPES.ping, 0, payload));
      else if (type === FRAME_TYPES.reset) this.#streams.get(payload.readUInt32BE(0))?.destroy();
    }
  }

  async #accept(id: number, block: Buffer, flags: number): Promise<void> {
    const headers = headersIn(await this.#reader.read(block));
    const stream = new Duplex({
      read() {},
      write: (part, _encoding, done) => this.#socket.write(dataFrame(id, 0, part), done),
      final: (done) => this.#socket.write(dataFrame(id, FIN, Buffer.alloc(0)), () => done()),
    });
    this.#streams.set(
      id,
      stream.on('error', () => {}),
    );
    if (flags & FIN) stream.push(null);
    const reply = Buffer.concat([words(id), this.#writer.write(headerBlock({}))]);
    this.#socket.write(controlFrame(FRAME_TYPES.synReply, 0, reply));
    this.#onStream(headers, stream);
  }
}

function headersIn(block: Buffer): Headers {
  let at = 4;
  const text = (): string => {
    const end = at + 4 + block.readUInt32BE(at);
    const read = block.toString('utf8', at + 4, end);
    at = end;
    return read;
  };
  const headers: [string, string][] = [];
  for (let left = block.readUInt32BE(0); left > 0; left -= 1) headers.push([text(), text()]);
  return Object.fromEntries(headers);
}
