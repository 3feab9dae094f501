import type { Steps } from '../../runtime/pacing.ts';
import { Meter } from '../values/meter.ts';

/** After so many units, an evaluation in steps lets others have their turn. */
const UNITS_A_STEP = 10_000;

/** The state of one evaluation: the values of variables, and what may yet be spent. */
export class Frame extends Meter {
  readonly slots: unknown[];
  #restAt = 0;

  constructor(slotCount: number, units = 0) {
    super(units);
    this.slots = new Array<unknown>(slotCount).fill(undefined);
    this.#restAt = units - UNITS_A_STEP;
  }

  /** Whether an evaluation in steps has done enough for one. */
  isRestDue(): boolean {
    if (this.left > this.#restAt) return false;
    this.#restAt = this.left - UNITS_A_STEP;
    return true;
  }
}

/** A compiled expression. Returns a value, a `Failure` among them; throws `Exhausted` only. */
export type Code = (frame: Frame) => unknown;

/** The same in steps. */
export type StepCode = (frame: Frame) => Steps<unknown>;
