import type { BodyStream, ByteSink } from '../../http/message.ts';
import type { SeenObject } from './object-changes.ts';
import { WatchFrames } from './watch-frames.ts';

/** `object` is absent where an event is not in JSON. */
type OnEvent = (type: string, object: SeenObject | undefined, size: number) => void;

/** A watch that tells of each event as it is sent. */
export class EventTap implements BodyStream {
  readonly #body: BodyStream;
  readonly #frames: WatchFrames;
  readonly #isJson: boolean;
  readonly #onEvent: OnEvent;

  constructor(body: BodyStream, mediaType: string, onEvent: OnEvent) {
    this.#body = body;
    this.#frames = new WatchFrames(mediaType);
    this.#isJson = mediaType.startsWith('application/json');
    this.#onEvent = onEvent;
  }

  start(sink: ByteSink): void {
    this.#body.start({
      write: (bytes, onSent) => {
        for (const frame of this.#frames.push(bytes)) this.#tell(frame);
        return sink.write(bytes, onSent);
      },
      get buffered() {
        return sink.buffered;
      },
      end: () => sink.end(),
      abort: () => sink.abort(),
    });
  }

  onDrain(): void {
    this.#body.onDrain();
  }

  onClose(): void {
    this.#body.onClose();
  }

  onShutdown(): void {
    this.#body.onShutdown();
  }

  #tell(frame: Buffer): void {
    if (!this.#isJson) {
      this.#onEvent('EVENT', undefined, frame.length);
      return;
    }
    const { type, object } = JSON.parse(frame.toString()) as { type: string; object: SeenObject };
    this.#onEvent(type, object, frame.length);
  }
}
