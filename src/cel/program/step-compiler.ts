import type { Checked } from '../check/checked.ts';
import { type Expression, type Loop, partsOf } from '../syntax/ast.ts';
import { bindingInSteps } from './bindings.ts';
import { Compiler } from './compiler.ts';
import type { Code, StepCode } from './frame.ts';
import { choiceInSteps, eitherInSteps } from './logic.ts';
import { compileLoopInSteps, type LoopBody } from './loops.ts';
import { differsInside, readWhole } from './readers.ts';

/** An expression in steps, and how many slots its frame has. */
export interface StepProgram {
  readonly code: StepCode;
  readonly slotCount: number;
}

export function compileInSteps(checked: Checked): StepProgram {
  const compiler = new StepCompiler(checked);
  const code = compiler.whole(checked.expression);
  return { code, slotCount: compiler.slotCount };
}

/**
 * Only loops take long, so only what has loops in it is made of generators; all else is the same closures as when it
 * runs in one go. Operands that have loops in them are evaluated first and kept in slots, where the closures find them.
 */
class StepCompiler {
  readonly #checked: Checked;
  readonly #compiler: Compiler;
  readonly #looping = new Map<Expression, boolean>();
  #slotCount: number;

  constructor(checked: Checked) {
    this.#checked = checked;
    this.#compiler = new Compiler(checked);
    this.#slotCount = checked.slotCount;
  }

  get slotCount(): number {
    return this.#slotCount;
  }

  whole(expression: Expression): StepCode {
    const code = this.part(expression);
    const type = this.#checked.typeOf(expression);
    if (!differsInside(type)) return code;
    return function* (frame) {
      return readWhole(frame, type, yield* code(frame));
    };
  }

  part(expression: Expression): StepCode {
    if (!this.#hasLoop(expression)) return asSteps(this.#compiler.part(expression));
    switch (expression.kind) {
      case 'loop':
        return this.#loop(expression);
      case 'bind': {
        const [slot = 0] = this.#checked.slots.get(expression) ?? [];
        return bindingInSteps(slot, expression.optional, this.whole(expression.value), this.whole(expression.body));
      }
      case 'call': {
        const [first, second, third] = expression.args;
        const { name } = expression;
        if ((name === '_&&_' || name === '_||_') && first && second) {
          return eitherInSteps(this.part(first), this.part(second), name === '_||_');
        }
        if (name === '_?_:_' && first && second && third) {
          return choiceInSteps(this.part(first), this.whole(second), this.whole(third));
        }
        return this.#afterOperands(expression);
      }
      default:
        return this.#afterOperands(expression);
    }
  }

  #hasLoop(expression: Expression): boolean {
    const known = this.#looping.get(expression);
    if (known !== undefined) return known;
    const found = expression.kind === 'loop' || partsOf(expression).some((part) => this.#hasLoop(part));
    this.#looping.set(expression, found);
    return found;
  }

  #afterOperands(expression: Expression): StepCode {
    const operands = partsOf(expression)
      .filter((part) => this.#hasLoop(part))
      .map((part) => {
        const slot = this.#slotCount++;
        const code = this.part(part);
        this.#compiler.keep(part, slot);
        return { code, slot };
      });
    const code = this.#compiler.part(expression);
    return function* (frame) {
      for (const operand of operands) frame.slots[operand.slot] = yield* operand.code(frame);
      return code(frame);
    };
  }

  #loop(expression: Loop): StepCode {
    const { loop, range, condition, transform } = expression;
    const slots = this.#checked.slots.get(expression) ?? [];
    const plan = { loop, slots, rangeType: this.#checked.typeOf(range) };
    return compileLoopInSteps(plan, this.part(range), this.#body(condition, transform));
  }

  #body(condition: Expression | undefined, transform: Expression | undefined): LoopBody {
    const hasLoops = [condition, transform].some((part) => part && this.#hasLoop(part));
    const inSteps = (part: Expression | undefined): StepCode | undefined => part && this.whole(part);
    const plain = (part: Expression | undefined): Code | undefined => part && this.#compiler.whole(part);
    return hasLoops
      ? { inSteps: { condition: inSteps(condition), transform: inSteps(transform) } }
      : { plain: { condition: plain(condition), transform: plain(transform) } };
  }
}

const asSteps = (code: Code): StepCode =>
  // biome-ignore lint/correctness/useYield: it has nothing to rest from
  function* (frame) {
    return code(frame);
  };
