import type { Steps } from '../../runtime/pacing.ts';
import type { LoopKind } from '../syntax/ast.ts';
import type { Type } from '../types/type.ts';
import { KEY_UNITS } from '../values/meter.ts';
import { Failure, isMap, keysOf, lookUp, type MapValue } from '../values/values.ts';
import type { Code, Frame, StepCode } from './frame.ts';
import { type Reader, readerOf } from './readers.ts';
import { type Tally, tallyOf } from './tallies.ts';

const NO_OVERLOAD = new Failure('no such overload');

/** What a turn takes beside its body, and what building a list or a map takes for each item. */
const UNITS_A_TURN = 3;
const UNITS_AN_ENTRY = 4;
const UNITS_AN_ITEM = 3;

export interface LoopPlan {
  readonly loop: LoopKind;
  readonly slots: readonly number[];
  readonly rangeType: Type;
}

/** What is done in each turn. */
export interface LoopTurn<C> {
  readonly condition: C | undefined;
  readonly transform: C | undefined;
}

/** In one go, or in steps where it has loops in it. */
export type LoopBody = { readonly plain: LoopTurn<Code> } | { readonly inSteps: LoopTurn<StepCode> };

/** What a loop goes through: the items of a list, or the keys of a map. */
interface Range {
  readonly items: readonly unknown[];
  readonly map: MapValue | undefined;
}

function rangeOf(frame: Frame, value: unknown): Range | Failure {
  if (Array.isArray(value)) return { items: value, map: undefined };
  if (!isMap(value)) return value instanceof Failure ? value : NO_OVERLOAD;
  const keys = keysOf(value);
  frame.spend(KEY_UNITS * keys.length);
  return { items: keys, map: value };
}

/** Sets the variables of a loop for one turn. Returns a failure where the item is not what its type says. */
function variablesOf({ slots, rangeType }: LoopPlan): (frame: Frame, range: Range, at: number) => Failure | undefined {
  const [first = 0, second] = slots;
  const read: Reader | undefined = readerOf(
    rangeType.kind === 'list' ? rangeType.item : rangeType.kind === 'map' ? rangeType.value : { kind: 'dyn' },
  );
  return (frame, { items, map }, at) => {
    if (!map) {
      frame.spend(UNITS_A_TURN);
      const item: unknown = read ? read(items[at], frame) : items[at];
      if (item instanceof Failure) return item;
      frame.slots[second ?? first] = item;
      if (second !== undefined) frame.slots[first] = at;
      return undefined;
    }
    frame.spend(UNITS_AN_ENTRY);
    frame.slots[first] = items[at];
    if (second !== undefined) {
      const value = lookUp(map, items[at]);
      frame.slots[second] = read ? read(value, frame) : value;
    }
    return undefined;
  };
}

/** Does what is to be done in one turn; what is not undefined ends the loop and is its result. */
type Turn = (frame: Frame, tally: Tally) => unknown;
type StepTurn = (frame: Frame, tally: Tally) => Steps<unknown>;

const isDeciding = ({ loop }: LoopPlan): boolean => loop === 'all' || loop === 'exists' || loop === 'existsOne';

/** An item that does not meet the condition is passed by. */
const passedBy = (holds: unknown): unknown => {
  if (holds === false) return undefined;
  return holds instanceof Failure ? holds : NO_OVERLOAD;
};

function turnOf(plan: LoopPlan, { condition, transform }: LoopTurn<Code>): Turn {
  if (isDeciding(plan)) {
    return condition ? (frame, tally) => tally.take(condition(frame), frame) : () => NO_OVERLOAD;
  }
  const [first = 0] = plan.slots;
  const made: Code = transform ?? ((frame) => frame.slots[first]);
  return (frame, tally) => {
    const holds = condition ? condition(frame) : true;
    if (holds !== true) return passedBy(holds);
    frame.spend(UNITS_AN_ITEM);
    return tally.take(made(frame), frame);
  };
}

function stepTurnOf(plan: LoopPlan, { condition, transform }: LoopTurn<StepCode>): StepTurn {
  const [first = 0] = plan.slots;
  return function* (frame, tally) {
    const holds = condition ? yield* condition(frame) : true;
    if (isDeciding(plan)) return tally.take(holds, frame);
    if (holds !== true) return passedBy(holds);
    frame.spend(UNITS_AN_ITEM);
    return tally.take(transform ? yield* transform(frame) : frame.slots[first], frame);
  };
}

export function compileLoop(plan: LoopPlan, range: Code, body: LoopTurn<Code>): Code {
  const setVariables = variablesOf(plan);
  const turn = turnOf(plan, body);
  return (frame) => {
    const items = rangeOf(frame, range(frame));
    if (items instanceof Failure) return items;
    const tally = tallyOf(plan.loop, plan.slots[0] ?? 0);
    for (let at = 0; at < items.items.length; at++) {
      const end = setVariables(frame, items, at) ?? turn(frame, tally);
      if (end !== undefined) return end;
    }
    return tally.result;
  };
}

export function compileLoopInSteps(plan: LoopPlan, range: StepCode, body: LoopBody): StepCode {
  const setVariables = variablesOf(plan);
  const turn = 'plain' in body ? turnOf(plan, body.plain) : undefined;
  const stepTurn = 'inSteps' in body ? stepTurnOf(plan, body.inSteps) : undefined;
  return function* (frame) {
    const items = rangeOf(frame, yield* range(frame));
    if (items instanceof Failure) return items;
    const tally = tallyOf(plan.loop, plan.slots[0] ?? 0);
    for (let at = 0; at < items.items.length; at++) {
      if (frame.isRestDue()) yield;
      const problem = setVariables(frame, items, at);
      if (problem) return problem;
      const end = stepTurn ? yield* stepTurn(frame, tally) : turn?.(frame, tally);
      if (end !== undefined) return end;
    }
    return tally.result;
  };
}
