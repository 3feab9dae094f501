import type { PlaneClient } from '../../client/plane-client.ts';
import type { WorkQueueMetrics } from '../../observe/metrics/work-queue-metrics.ts';
import type { Timer } from '../../runtime/runtime.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { Controller } from '../controller.ts';
import type { Loop } from '../loop.ts';
import { runLoop } from '../running-loop.ts';
import { ServedKinds } from './served-kinds.ts';
import { ServedObjects } from './served-objects.ts';
import type { ServedPlane } from './served-plane.ts';

const FIRST_RETRY_MS = 200;
const LONGEST_RETRY_MS = 10_000;

export interface LoopTermParts {
  readonly plane: ServedPlane;
  readonly vocabulary: Vocabulary;
  readonly loops: readonly Loop[];
  readonly queues: WorkQueueMetrics;
  /** How a loop sends requests. */
  clientOf(loop: Loop): PlaneClient;
  onError(controller: string, key: string, error: unknown): void;
}

/** Loops from when their process leads until it does not. They begin when it is known what the plane serves. */
export class LoopTerm implements Controller {
  readonly #parts: LoopTermParts;
  #kinds: ServedKinds | undefined;
  #known: ServedObjects | undefined;
  #running: readonly Controller[] = [];
  #failures = 0;
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(parts: LoopTermParts) {
    this.#parts = parts;
    void this.#begin();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#known?.close();
    this.#kinds?.close();
    await Promise.all(this.#running.map((loop) => loop.close()));
  }

  async #begin(): Promise<void> {
    const { plane, vocabulary, loops, queues, clientOf, onError } = this.#parts;
    try {
      const kinds = await ServedKinds.of(plane, vocabulary);
      if (this.#isClosed) {
        kinds.close();
        return;
      }
      const { runtime } = plane;
      const known = new ServedObjects(plane, kinds);
      this.#kinds = kinds;
      this.#known = known;
      this.#running = loops.map((loop) =>
        runLoop(loop, { plane: { runtime, vocabulary, known, kinds, client: clientOf(loop) }, queues, onError }),
      );
    } catch (error) {
      if (!this.#isClosed) this.#retry(error);
    }
  }

  #retry(error: unknown): void {
    const { plane, onError } = this.#parts;
    onError('discovery', '', error);
    const delay = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(this.#failures++, 16));
    this.#timer = plane.runtime.after(delay * (0.5 + plane.runtime.random() / 2), () => void this.#begin());
  }
}
