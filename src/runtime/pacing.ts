import type { Runtime } from './runtime.ts';

/**
 * Long work is cut into steps, and the steps of all long work in the process take turns in one queue. In one turn of the
 * event loop they get at most `TURN_MS` together, however many there are: connections, timers and short requests come in
 * between. Whatever can grow with what clients send or store goes through here.
 */
const TURN_MS = 5;

interface Step {
  run(): void;
  /** What follows from the step runs after it, unmeasured: it is the last of its turn. */
  readonly isLast: boolean;
}

/** The queue of one runtime. First come, first served. */
export class Pacer {
  readonly #runtime: Runtime;
  #steps: Step[] = [];
  #isAwake = false;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** How many steps are waiting. */
  get waiting(): number {
    return this.#steps.length;
  }

  /** Calls back when it is the step's turn. The step must not throw. */
  run(step: () => void): void {
    this.#add({ run: step, isLast: false });
  }

  /** Resolves when it is the caller's turn, who may then work for `TURN_MS`. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#add({ run: resolve, isLast: true });
    });
  }

  #add(step: Step): void {
    this.#steps.push(step);
    if (this.#isAwake) return;
    this.#isAwake = true;
    this.#workLater();
  }

  /**
   * In the turn after the next. What comes in during a turn of work is seen in the next one, behind whatever was asked for
   * before it: there must be no work in that, or whoever comes in would wait for two turns of work instead of one.
   */
  #workLater(): void {
    this.#runtime.soon(() => this.#runtime.soon(() => this.#work()));
  }

  /** Steps that are added meanwhile wait for the next turn. */
  #work(): void {
    const steps = this.#steps;
    this.#steps = [];
    const began = this.#runtime.monotonic();
    let at = 0;
    for (let isOver = false; at < steps.length && !isOver; at++) {
      const step = steps[at];
      step?.run();
      isOver = step?.isLast === true || this.#runtime.monotonic() - began >= TURN_MS;
    }
    if (at < steps.length) this.#steps = [...steps.slice(at), ...this.#steps];
    this.#isAwake = this.#steps.length > 0;
    if (this.#isAwake) this.#workLater();
  }
}

const pacers = new WeakMap<Runtime, Pacer>();

/** The one queue of a runtime. */
export function pacerOf(runtime: Runtime): Pacer {
  const known = pacers.get(runtime);
  if (known) return known;
  const made = new Pacer(runtime);
  pacers.set(runtime, made);
  return made;
}

/** Awaited often during long work: now and then it waits for the work's next turn. */
export type Rest = () => Promise<void> | undefined;

/** For work that others cannot be waiting for, as when a server starts. */
export const noRest: Rest = () => undefined;

/** For one piece of work. It begins with a turn of its own: short work never waits. */
export function restEveryTurn(runtime: Runtime): Rest {
  let began = runtime.monotonic();
  return () => {
    if (runtime.monotonic() - began < TURN_MS) return undefined;
    return pacerOf(runtime)
      .turn()
      .then(() => {
        began = runtime.monotonic();
      });
  };
}

/** Work in steps; between two of them others may have their turn. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Does the work, at once unless a rest is due meanwhile. */
export function inSteps<T>(steps: Steps<T>, rest: Rest): T | Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    const pause = rest();
    if (pause) return pause.then(() => inSteps(steps, rest));
  }
}

/** Does the work in one go. */
export function atOnce<T>(steps: Steps<T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}
