import { Failure } from '../values/values.ts';
import type { Code, StepCode } from './frame.ts';

const NO_OVERLOAD = new Failure('no such overload');

/** What two sides come to of which neither is `decisive` alone. */
function joined(first: unknown, second: unknown, decisive: boolean): unknown {
  if (second === decisive) return decisive;
  if (first === !decisive && second === !decisive) return !decisive;
  return first instanceof Failure ? first : second instanceof Failure ? second : NO_OVERLOAD;
}

/** `&&` is decided by false, `||` by true, whatever the other side is: not even its failure counts. */
export function either(left: Code, right: Code, decisive: boolean): Code {
  return (frame) => {
    const first = left(frame);
    return first === decisive ? decisive : joined(first, right(frame), decisive);
  };
}

export function eitherInSteps(left: StepCode, right: StepCode, decisive: boolean): StepCode {
  return function* (frame) {
    const first = yield* left(frame);
    return first === decisive ? decisive : joined(first, yield* right(frame), decisive);
  };
}

const undecided = (chosen: unknown): Failure => (chosen instanceof Failure ? chosen : NO_OVERLOAD);

export function choice(condition: Code, yes: Code, no: Code): Code {
  return (frame) => {
    const chosen = condition(frame);
    if (chosen === true) return yes(frame);
    return chosen === false ? no(frame) : undecided(chosen);
  };
}

export function choiceInSteps(condition: StepCode, yes: StepCode, no: StepCode): StepCode {
  return function* (frame) {
    const chosen = yield* condition(frame);
    if (chosen === true) return yield* yes(frame);
    return chosen === false ? yield* no(frame) : undecided(chosen);
  };
}
