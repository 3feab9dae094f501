import { DefinitionCost } from '../../cel/cost/definition-cost.ts';
import type { CompiledRule, RuleCompiler } from '../../cel/rule.ts';
import type { Steps } from '../../runtime/pacing.ts';
import { isList } from '../../schema/json-object.ts';
import type { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { type JSONSchemaProps, schemaExtensions, type ValidationRule } from './json-schema.ts';
import { ruleCompiler, ruleSource } from './rule-compiler.ts';

/** Of all rules of a schema together: what is compiled of them takes a hundred times as much memory. */
const MOST_TEXT = 256 * 1024;

/** A part of a schema, and what decides about rules that stand there. */
interface RulePlace {
  readonly schema: JSONSchemaProps;
  readonly path: Path;
  readonly isResource: boolean;
  /** Of how many values of one object rules here may be asked; undefined where that has no bound. */
  readonly cardinality: number | undefined;
  /** The list around, if its items cannot be told apart: there, values have no old ones. */
  readonly uncorrelatable: Path | undefined;
}

/**
 * Every problem of the rules of a schema: what does not compile, what may cost too much, alone or together, and what asks
 * for an old value where there is none. For a schema that has no other problem.
 */
export function* checkRules(
  root: JSONSchemaProps,
  path: Path,
  problems: Problems,
  vocabulary: Vocabulary,
): Steps<void> {
  const { validations: word } = vocabulary.openapiExtensions;
  const checker = new RuleChecker(ruleCompiler(vocabulary), problems);
  for (const place of yield* placesOf(root, path, vocabulary)) {
    const { validations = [] } = schemaExtensions(place.schema, vocabulary);
    for (const [at, rule] of validations.entries()) {
      if (!checker.hasRoomFor(rule)) {
        return problems.forbidden(path, `rules must have at most ${MOST_TEXT} characters together`);
      }
      yield* checker.check(rule, place, place.path.child(word).index(at));
      yield;
    }
  }
  for (const problem of checker.cost.problems(path.toString(), word)) problems.forbidden(problem.path, problem.message);
}

/** All parts of a schema that rules may stand at. */
function* placesOf(root: JSONSchemaProps, path: Path, vocabulary: Vocabulary): Steps<readonly RulePlace[]> {
  const start = { schema: root, path, isResource: true, cardinality: 1, uncorrelatable: undefined };
  const places: RulePlace[] = [start];
  const add = (schema: JSONSchemaProps, place: Omit<RulePlace, 'schema' | 'isResource'>): void => {
    places.push({ ...place, schema, isResource: schemaExtensions(schema, vocabulary).embeddedResource === true });
  };
  // Grows while it is gone through.
  for (const place of places) {
    const { properties = {}, additionalProperties, items, maxProperties, maxItems } = place.schema;
    for (const [name, part] of Object.entries(properties)) {
      add(part, { ...place, path: place.path.child('properties').key(name) });
    }
    if (typeof additionalProperties === 'object') {
      const cardinality = product(place.cardinality, maxProperties);
      add(additionalProperties, { ...place, path: place.path.child('additionalProperties'), cardinality });
    }
    if (items && !isList(items)) {
      const isKeyed = schemaExtensions(place.schema, vocabulary).listType === 'map';
      const uncorrelatable = place.uncorrelatable ?? (isKeyed ? undefined : place.path);
      const cardinality = product(place.cardinality, maxItems);
      add(items, { path: place.path.child('items'), cardinality, uncorrelatable });
    }
    yield;
  }
  return places;
}

const product = (count: number | undefined, most: number | undefined): number | undefined =>
  count === undefined || most === undefined ? undefined : count * Math.max(most, 0);

class RuleChecker {
  readonly cost = new DefinitionCost();
  readonly #compiler: RuleCompiler;
  readonly #problems: Problems;
  /** How many characters rules may yet have. */
  #room = MOST_TEXT;

  constructor(compiler: RuleCompiler, problems: Problems) {
    this.#compiler = compiler;
    this.#problems = problems;
  }

  hasRoomFor({ rule, messageExpression = '' }: ValidationRule): boolean {
    this.#room -= rule.length + messageExpression.length;
    return this.#room >= 0;
  }

  *check(rule: ValidationRule, place: RulePlace, path: Path): Steps<void> {
    const result = yield* this.#compiler.compileInSteps(ruleSource(rule), place.schema, place.isResource);
    if ('compiled' in result) return this.#checkCompiled(result.compiled, rule, place, path);
    for (const { field, message } of result.problems) this.#problems.invalid(path.child(field), rule, message);
  }

  #checkCompiled(compiled: CompiledRule, rule: ValidationRule, place: RulePlace, path: Path): void {
    const at = path.child('rule');
    const excess = this.cost.add(at.toString(), compiled, place.cardinality);
    if (excess !== undefined) this.#problems.forbidden(at, excess);
    if (compiled.usesOldSelf && place.uncorrelatable) {
      const where = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${place.uncorrelatable}`;
      this.#problems.invalid(at, rule.rule, where);
    }
    if (!compiled.usesOldSelf && rule.optionalOldSelf !== undefined) {
      const why = 'may not be set if oldSelf is not used in rule';
      this.#problems.invalid(path.child('optionalOldSelf'), rule.optionalOldSelf, why);
    }
  }
}
