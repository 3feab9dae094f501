import { BoundedCache } from '../../bounds/bounded-cache.ts';
import { type JSONSchemaProps, schemaExtensions } from '../../kinds/apiextensions/json-schema.ts';
import type { ApiObject } from '../../registry/resource-type.ts';
import { atOnce, type Steps } from '../../runtime/pacing.ts';
import { isList } from '../../schema/json-object.ts';
import type { Problems } from '../../schema/problems.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { ROOT_FIELD, RuleCheck } from './rule-check.ts';
import { type RuleMeter, UNMETERED } from './rule-meter.ts';
import { RuleTree } from './rule-tree.ts';

/**
 * The rules of one version of a custom kind. Rules are asked last, of an object whose structure is valid: they rely on
 * every value being of the type that the schema says. Where `problems` holds one of the structure already, none is asked,
 * and that is told.
 */
export interface SchemaRules {
  /** Every rule that does not hold. `old` is the object before the change, in the same version; undefined for a new one. */
  checkInSteps(object: ApiObject, old: ApiObject | undefined, problems: Problems): Steps<void>;
  /** The same in one go: for objects that are known to be small. */
  check(object: ApiObject, old: ApiObject | undefined, problems: Problems): void;
}

export interface RuleOptions {
  readonly vocabulary: Vocabulary;
  readonly meter?: RuleMeter;
  /** Rules are not asked about what an update leaves alone, but for those about changes. */
  readonly ratcheting?: boolean;
}

/** Undefined where the schema has no rules. Nothing is compiled before it is used. */
export function rulesOf(source: JSONSchemaProps, options: RuleOptions): SchemaRules | undefined {
  return hasRules(source, options.vocabulary) ? new CachedRules(source, options) : undefined;
}

/** Looks at every part of the schema once. */
function hasRules(root: JSONSchemaProps, vocabulary: Vocabulary): boolean {
  const parts = [root];
  // Grows while it is gone through.
  for (const part of parts) {
    if (schemaExtensions(part, vocabulary).validations?.length) return true;
    const { properties = {}, additionalProperties, items } = part;
    for (const property of Object.values(properties)) parts.push(property);
    if (typeof additionalProperties === 'object') parts.push(additionalProperties);
    if (items && !isList(items)) parts.push(items);
  }
  return false;
}

/** What is compiled of all kinds together. A kind that is not written for a while is compiled again when it is. */
const trees = new BoundedCache<CachedRules, RuleTree>({
  name: 'rules-of-custom-kinds',
  capacity: 64 * 1024 * 1024,
  sizeOf: (_, tree) => tree.bytes,
  keepIdleMs: 5 * 60_000,
});

/** Problems after which values may be of other types than rules expect. */
const OF_STRUCTURE: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);
const NOT_ASKED =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

class CachedRules implements SchemaRules {
  readonly #source: JSONSchemaProps;
  readonly #options: RuleOptions;

  constructor(source: JSONSchemaProps, options: RuleOptions) {
    this.#source = source;
    this.#options = options;
  }

  check(object: ApiObject, old: ApiObject | undefined, problems: Problems): void {
    atOnce(this.checkInSteps(object, old, problems));
  }

  *checkInSteps(object: ApiObject, old: ApiObject | undefined, problems: Problems): Steps<void> {
    if (problems.found.some(({ reason }) => OF_STRUCTURE.has(reason))) {
      return problems.add(ROOT_FIELD, 'FieldValueInvalid', `Invalid value: "null": ${NOT_ASKED}`);
    }
    const { root } = this.#tree();
    if (!root) return;
    const { meter = UNMETERED, ratcheting = false } = this.#options;
    const evaluated = meter.evaluating();
    yield* new RuleCheck(problems, meter, ratcheting).check(root, object, old);
    evaluated();
  }

  #tree(): RuleTree {
    const known = trees.get(this);
    if (known) return known;
    const made = new RuleTree(this.#source, this.#options.vocabulary);
    trees.set(this, made);
    return made;
  }
}
