import type { Logger } from '../observe/logging/logger.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** Tells how long each stage of a start took, one after the other. */
export class StageLog {
  readonly #logger: Logger;
  readonly #runtime: Runtime;
  readonly #began: number;
  #last: number;

  /** `began` is when the first stage did, on the monotonic clock of the runtime. */
  constructor(logger: Logger, runtime: Runtime, began: number) {
    this.#logger = logger;
    this.#runtime = runtime;
    this.#began = began;
    this.#last = began;
  }

  /** A stage is over that began with the end of the one before. */
  finished(stage: string, fields: object = {}): void {
    const now = this.#runtime.monotonic();
    this.#tell(stage, now - this.#last, fields);
    this.#last = now;
  }

  /** All of them are. */
  ready(fields: object): void {
    this.#tell('ready', this.#runtime.monotonic() - this.#began, fields);
  }

  #tell(stage: string, milliseconds: number, fields: object): void {
    this.#logger.stage?.({ stage, milliseconds: Math.round(milliseconds * 10) / 10, ...fields }, 'start');
  }
}
