import { Meter } from '../values/meter.ts';

/** The state of one evaluation: the values of variables, and what may yet be spent. */
export class Frame extends Meter {
  readonly slots: unknown[];

  constructor(slotCount: number) {
    super(0);
    this.slots = new Array<unknown>(slotCount).fill(undefined);
  }
}

/** A compiled expression. Returns a value, a `Failure` among them; throws `Exhausted` only. */
export type Code = (frame: Frame) => unknown;
