import { type ApiError, expired } from '../../api/errors.ts';
import { encodeProtobuf, encodeWatchFrame } from '../../codec/protobuf.ts';
import { statusOf } from '../../codec/status.ts';
import { frame } from '../../handlers/watch/watch-frames.ts';
import type { BodyStream, ByteSink } from '../../http/message.ts';
import { Status } from '../../meta/status.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import { WatchFrames } from '../recording/watch-frames.ts';

/** How a watch ends before its time: with an event that says 410, or with its connection. */
export type WatchEnd = 'gone' | 'disconnect';

/** A watch that ends after so many events, at the border of one: what follows is not sent. */
export class BrokenWatch implements BodyStream {
  readonly #body: BodyStream;
  readonly #frames: WatchFrames;
  readonly #mediaType: string;
  readonly #end: WatchEnd;
  #left: number;
  #isOver = false;

  constructor(body: BodyStream, mediaType: string, end: WatchEnd, events: number) {
    this.#body = body;
    this.#frames = new WatchFrames(mediaType);
    this.#mediaType = mediaType;
    this.#end = end;
    this.#left = events;
  }

  start(sink: ByteSink): void {
    this.#body.start({
      write: (bytes, onSent) => this.#write(sink, bytes, onSent),
      get buffered() {
        return sink.buffered;
      },
      end: () => {
        if (!this.#isOver) sink.end();
      },
      abort: () => {
        if (!this.#isOver) sink.abort();
      },
    });
  }

  onDrain(): void {
    this.#body.onDrain();
  }

  onClose(): void {
    this.#isOver = true;
    this.#body.onClose();
  }

  onShutdown(): void {
    this.#body.onShutdown();
  }

  #write(sink: ByteSink, bytes: Buffer, onSent: (() => void) | undefined): boolean {
    if (this.#isOver) return true;
    const frames = this.#frames.push(bytes);
    if (frames.length <= this.#left) {
      this.#left -= frames.length;
      return sink.write(bytes, onSent);
    }
    this.#isOver = true;
    for (const one of frames.slice(0, this.#left)) sink.write(one);
    if (this.#end === 'gone') {
      sink.write(this.#errorEvent(expired('too old resource version: changes were lost before they could be sent')));
      sink.end();
    } else sink.abort();
    return true;
  }

  #errorEvent(error: ApiError): Buffer {
    const status = statusOf(error);
    if (!this.#mediaType.includes('protobuf'))
      return Buffer.concat(frame('ERROR', Buffer.from(JSON.stringify(status))));
    return encodeWatchFrame('ERROR', encodeProtobuf(Status, 'v1', 'Status', canonicalise(Status, status).value));
  }
}
