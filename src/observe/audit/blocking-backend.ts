import type { Runtime } from '../../runtime/runtime.ts';
import type { AuditBackend, OnLost, Sink } from './backend.ts';
import type { AuditEvent } from './event.ts';

/** How long a request may be held up by its event. */
const LONGEST_WAIT_MS = 10_000;
/** Events on their way to a sink that is slow; more are lost. */
const MOST_UNDER_WAY = 10_000;

/** Made once: losses come in masses. */
const TOO_MANY = new Error('too many audit events are under way');

export interface BlockingOptions {
  readonly sink: Sink;
  /** Requests whose arrival cannot be recorded are refused. */
  readonly strict: boolean;
  readonly runtime: Runtime;
  readonly onLost: OnLost;
}

/** Lets every request wait until its event is kept, or cannot be. */
export class BlockingBackend implements AuditBackend {
  readonly waits = true;
  readonly #options: BlockingOptions;
  #underWay = 0;

  constructor(options: BlockingOptions) {
    this.#options = options;
  }

  record(event: AuditEvent): Promise<boolean> {
    const { strict } = this.#options;
    return this.#send(event).then((kept) => kept || !strict);
  }

  close(): Promise<void> {
    return this.#options.sink.close();
  }

  async #send(event: AuditEvent): Promise<boolean> {
    const { sink, onLost } = this.#options;
    if (this.#underWay >= MOST_UNDER_WAY) {
      onLost(sink.name, 1, TOO_MANY);
      return false;
    }
    this.#underWay++;
    const kept = sink
      .send([event])
      .then(
        () => true,
        (error: unknown) => {
          onLost(sink.name, 1, error);
          return false;
        },
      )
      .finally(() => {
        this.#underWay--;
      });
    return this.#inTime(kept);
  }

  /** What takes longer may still be kept, but nobody waits for it. */
  #inTime(kept: Promise<boolean>): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = this.#options.runtime.after(LONGEST_WAIT_MS, () => resolve(false));
      void kept.then((outcome) => {
        timer.cancel();
        resolve(outcome);
      });
    });
  }
}
