import type { Overload } from '../functions/signature.ts';
import type { Type } from '../types/type.ts';
import { Failure, isOf } from '../values/values.ts';
import type { Code, Frame } from './frame.ts';

const NO_OVERLOAD = new Failure('no such overload');

/** What any call takes, and finding out which overload is meant. */
const CALL = 3;
const DISPATCH = 10;

type Guard = (value: unknown) => boolean;

const isValue: Guard = (value) => !(value instanceof Failure);
const isText: Guard = (value) => typeof value === 'string';
const isBool: Guard = (value) => typeof value === 'boolean';
const isNumber: Guard = (value) => typeof value === 'number' || typeof value === 'bigint';

/** Whether a value can be handed to a function as an argument of a type: never a failure. */
function guardOf(type: Type): Guard {
  switch (type.kind) {
    case 'dyn':
    case 'parameter':
      return isValue;
    case 'string':
      return isText;
    case 'bool':
      return isBool;
    case 'int':
      return isNumber;
    default:
      return (value) => isOf(type, value);
  }
}

/** The size of an argument as costs count it; functions on maps spend by themselves, as counting entries takes long. */
const sizeOf = (value: unknown): number =>
  typeof value === 'string' || Array.isArray(value) || value instanceof Uint8Array ? value.length : 1;

interface Candidate {
  readonly guards: readonly Guard[];
  readonly overload: Overload;
}

/**
 * A call of a function. Which overloads may be meant is known; the first that fits the values is taken. Arguments are
 * always held against its types, since a field that may be null is, and dynamic values can be anything.
 */
export function compileCall(overloads: readonly Overload[], args: readonly Code[]): Code {
  const candidates = overloads.map((overload) => ({ guards: overload.params.map(guardOf), overload }));
  const [only] = candidates;
  if (only && candidates.length === 1) {
    if (only.overload.decide && args.length === 2) return lazily(only, args);
    if (args.length === 1) return unary(only, args);
    if (args.length === 2) return binary(only, args);
  }
  if (args.length === 1) return unaryOf(candidates, args);
  if (args.length === 2) return binaryOf(candidates, args);
  return anyOf(candidates, args);
}

const refuse = (...values: readonly unknown[]): Failure =>
  values.find((value): value is Failure => value instanceof Failure) ?? NO_OVERLOAD;

function unary({ guards, overload }: Candidate, [arg]: readonly Code[]): Code {
  const [guard] = guards;
  const { run, units } = overload;
  if (!arg || !guard) return () => NO_OVERLOAD;
  return (frame) => {
    const value = arg(frame);
    if (!guard(value)) return refuse(value);
    frame.spend(units ? CALL + units(sizeOf(value), 0, 0) : CALL);
    return run(frame, value);
  };
}

function binary({ guards, overload }: Candidate, [left, right]: readonly Code[]): Code {
  const [leftGuard, rightGuard] = guards;
  const { run, units } = overload;
  if (!left || !right || !leftGuard || !rightGuard) return () => NO_OVERLOAD;
  if (!units) {
    return (frame) => {
      const a = left(frame);
      const b = right(frame);
      if (!leftGuard(a) || !rightGuard(b)) return refuse(a, b);
      frame.spend(CALL);
      return run(frame, a, b);
    };
  }
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (!leftGuard(a) || !rightGuard(b)) return refuse(a, b);
    frame.spend(CALL + units(sizeOf(a), sizeOf(b), 0));
    return run(frame, a, b);
  };
}

/** The second argument is evaluated only where the first does not decide. */
function lazily(candidate: Candidate, [left, right]: readonly Code[]): Code {
  const { decide } = candidate.overload;
  if (!left || !right || !decide) return () => NO_OVERLOAD;
  return (frame) => {
    const first = left(frame);
    return decide(first) ?? call(frame, [candidate], [first, right(frame)]);
  };
}

/** What a call among several overloads takes. */
const dispatched = ({ units }: Overload, a: unknown, b: unknown, c: unknown): number =>
  CALL + DISPATCH + (units ? units(sizeOf(a), sizeOf(b), sizeOf(c)) : 0);

/** As `anyOf`, without a list of arguments: most calls have one or two. */
function unaryOf(candidates: readonly Candidate[], [arg]: readonly Code[]): Code {
  if (!arg) return () => NO_OVERLOAD;
  return (frame) => {
    const value = arg(frame);
    for (const { guards, overload } of candidates) {
      if (!guards[0]?.(value)) continue;
      frame.spend(dispatched(overload, value, undefined, undefined));
      return overload.run(frame, value);
    }
    return refuse(value);
  };
}

function binaryOf(candidates: readonly Candidate[], [left, right]: readonly Code[]): Code {
  if (!left || !right) return () => NO_OVERLOAD;
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    for (const { guards, overload } of candidates) {
      if (!guards[0]?.(a) || !guards[1]?.(b)) continue;
      frame.spend(dispatched(overload, a, b, undefined));
      return overload.run(frame, a, b);
    }
    return refuse(a, b);
  };
}

function anyOf(candidates: readonly Candidate[], args: readonly Code[]): Code {
  return (frame) => {
    const values = args.map((arg) => arg(frame));
    return call(frame, candidates, values);
  };
}

function call(frame: Frame, candidates: readonly Candidate[], values: readonly unknown[]): unknown {
  for (const { guards, overload } of candidates) {
    if (!guards.every((guard, at) => guard(values[at]))) continue;
    frame.spend(dispatched(overload, values[0], values[1], values[2]));
    return overload.run(frame, ...values);
  }
  return refuse(...values);
}
