import type { Bind } from '../syntax/ast.ts';
import { Failure, Optional } from '../values/values.ts';
import type { Code, StepCode } from './frame.ts';

const NO_OVERLOAD = new Failure('no such overload');

/** What keeps the body from being evaluated; undefined where nothing does. */
function withoutBody(bound: unknown, optional: Bind['optional']): unknown {
  if (!optional) return undefined;
  if (bound instanceof Failure) return bound;
  if (!(bound instanceof Optional)) return NO_OVERLOAD;
  return bound.hasValue ? undefined : bound;
}

const unwrapped = (bound: unknown, optional: Bind['optional']): unknown =>
  optional && bound instanceof Optional ? bound.value : bound;

const wrapped = (made: unknown, optional: Bind['optional']): unknown =>
  optional !== 'map' || made instanceof Failure ? made : Optional.of(made);

/** `cel.bind(name, value, body)`, `value.optMap(name, body)`, `value.optFlatMap(name, body)` */
export function binding(slot: number, optional: Bind['optional'], value: Code, body: Code): Code {
  return (frame) => {
    frame.spend(1);
    const bound = value(frame);
    const end = withoutBody(bound, optional);
    if (end !== undefined) return end;
    frame.slots[slot] = unwrapped(bound, optional);
    return wrapped(body(frame), optional);
  };
}

export function bindingInSteps(slot: number, optional: Bind['optional'], value: StepCode, body: StepCode): StepCode {
  return function* (frame) {
    frame.spend(1);
    const bound = yield* value(frame);
    const end = withoutBody(bound, optional);
    if (end !== undefined) return end;
    frame.slots[slot] = unwrapped(bound, optional);
    return wrapped(yield* body(frame), optional);
  };
}
