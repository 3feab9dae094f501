import { Budget, type CompiledRule, type RuleResult, type Verdict } from '../../cel/rule.ts';
import { followed } from '../../kinds/apiextensions/field-path.ts';
import type { Steps } from '../../runtime/pacing.ts';
import { isList, isObject, type JsonObject } from '../../schema/json-object.ts';
import { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import { itemsOf, KeyedItems } from './correlation.ts';
import { type RuleMeter, UNMETERED } from './rule-meter.ts';
import type { NodeRule, RuleNode } from './rule-tree.ts';

/** How the root of an object is called where it has a problem as a whole. */
export const ROOT_FIELD = '<nil>';

const ROOT = Path.of();
/** After so many values, or so many units, others may have their turn. */
const VALUES_A_STEP = 200;
const UNITS_A_STEP = 20_000;

/** Asks the rules of one object, beside its old one. */
export class RuleCheck {
  readonly #problems: Problems;
  readonly #meter: RuleMeter;
  readonly #ratcheting: boolean;
  readonly #budget = new Budget();
  #isOver = false;
  #values = 0;
  #restAt = this.#budget.left - UNITS_A_STEP;

  /** `ratcheting`: what is the very same as before may break rules, but for those about changes. */
  constructor(problems: Problems, meter: RuleMeter = UNMETERED, ratcheting = false) {
    this.#problems = problems;
    this.#meter = meter;
    this.#ratcheting = ratcheting;
  }

  /** `old` is undefined where there is no old value that belongs to this one. Rules are not asked about null. */
  *check(node: RuleNode, value: unknown, old: unknown, path = ROOT): Steps<void> {
    if (this.#isOver || value === null || value === undefined) return;
    if (this.#isRestDue()) yield;
    for (const rule of node.rules) {
      if (this.#holdsAtOnce(rule, value, old ?? undefined)) continue;
      yield* this.#ask(rule, node, value, old ?? undefined, path);
      if (this.#isOver) return;
    }
    if (isList(value)) yield* this.#checkItems(node, value, old, path);
    else if (isObject(value)) yield* this.#checkFields(node, value, isObject(old) ? old : {}, path);
  }

  #isRestDue(): boolean {
    if (++this.#values < VALUES_A_STEP && this.#budget.left > this.#restAt) return false;
    this.#values = 0;
    this.#restAt = this.#budget.left - UNITS_A_STEP;
    return true;
  }

  /** Items belong to old ones where keys tell which. */
  *#checkItems({ items, keys }: RuleNode, value: readonly unknown[], old: unknown, path: Path): Steps<void> {
    if (!items) return;
    const before = keys && new KeyedItems(keys, itemsOf(old));
    for (const [at, item] of value.entries()) yield* this.check(items, item, before?.find(item), path.index(at));
  }

  *#checkFields({ properties, entries }: RuleNode, value: JsonObject, old: JsonObject, path: Path): Steps<void> {
    for (const [name, node] of properties) {
      if (Object.hasOwn(value, name)) yield* this.check(node, value[name], ownOf(old, name), path.child(name));
    }
    if (!entries) return;
    for (const key of Object.keys(value)) yield* this.check(entries, value[key], ownOf(old, key), path.key(key));
  }

  /** As most rules do, or are not asked. False: they are asked in steps. */
  #holdsAtOnce(rule: NodeRule, value: unknown, old: unknown): boolean {
    const { known } = rule;
    if (!known || 'problems' in known) return false;
    return !this.#isAsked(known.compiled, rule, value, old) || known.compiled.holdsAtOnce(value, old, this.#budget);
  }

  #isAsked(compiled: CompiledRule, rule: NodeRule, value: unknown, old: unknown): boolean {
    return isAsked(compiled, rule, old) && !(this.#ratcheting && value === old && !compiled.usesOldSelf);
  }

  *#ask(rule: NodeRule, node: RuleNode, value: unknown, old: unknown, path: Path): Steps<void> {
    const result: RuleResult = rule.known ?? (yield* this.#compile(rule));
    if ('problems' in result) {
      const [problem] = result.problems;
      this.#refuse(path, node, `rule compile error: ${problem?.message}`);
      return;
    }
    const { compiled } = result;
    if (!this.#isAsked(compiled, rule, value, old)) return;
    const verdict = yield* compiled.evaluateInSteps(value, old, this.#budget);
    if (verdict.outcome !== 'holds') this.#note(verdict, rule, node, path);
  }

  *#compile(rule: NodeRule): Steps<RuleResult> {
    const compiled = this.#meter.compiling();
    const result = yield* rule.compile();
    compiled();
    return result;
  }

  #note(verdict: Exclude<Verdict, { readonly outcome: 'holds' }>, rule: NodeRule, node: RuleNode, path: Path): void {
    const { outcome, message } = verdict;
    this.#isOver = outcome === 'exhausted';
    if (outcome === 'fails') this.#fail(message, rule, node, path);
    else this.#refuse(path, node, message);
  }

  #refuse(path: Path, { type }: RuleNode, message: string): void {
    this.#problems.invalid(fieldOf(path), type, message);
  }

  /** A rule that does not hold may say where the problem is, and of which kind. */
  #fail(message: string, rule: NodeRule, node: RuleNode, path: Path): void {
    const { fieldPath } = rule;
    const field = fieldOf('segments' in fieldPath ? followed(path, fieldPath.segments) : path);
    const { reason } = rule.source;
    if (reason === 'FieldValueForbidden') this.#problems.forbidden(field, message);
    else if (reason === 'FieldValueRequired') this.#problems.required(field, message);
    else if (reason === 'FieldValueDuplicate') {
      this.#problems.add(field, reason, `Duplicate value: "${node.type}": ${message}`);
    } else this.#problems.invalid(field, node.type, message);
  }
}

/** A rule about a change is asked only where there was something before, unless it says that it can do without. */
const isAsked = ({ usesOldSelf }: CompiledRule, { source }: NodeRule, old: unknown): boolean =>
  !usesOldSelf || old !== undefined || source.optionalOldSelf === true;

const ownOf = (object: JsonObject, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined);

const fieldOf = (path: Path): string => path.toString() || ROOT_FIELD;
