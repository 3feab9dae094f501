import type { RuleCompiler, RuleResult } from '../../cel/rule.ts';
import { readFieldPath } from '../../kinds/apiextensions/field-path.ts';
import { type JSONSchemaProps, schemaExtensions, type ValidationRule } from '../../kinds/apiextensions/json-schema.ts';
import { ruleCompiler, ruleSource } from '../../kinds/apiextensions/rule-compiler.ts';
import type { Steps } from '../../runtime/pacing.ts';
import { isList } from '../../schema/json-object.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { type KeyField, keyFields } from './correlation.ts';

/** The parts of a schema that have rules, or lead to parts that have. */
export interface RuleNode {
  /** The declared type, which messages show instead of the value. Empty where a value may have more than one. */
  readonly type: string;
  readonly rules: readonly NodeRule[];
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly entries: RuleNode | undefined;
  readonly items: RuleNode | undefined;
  /** What tells items apart that may have to be held against their old ones. */
  readonly keys: readonly KeyField[] | undefined;
}

/** A rule of a part of a schema. It is compiled when it is first asked for. */
export class NodeRule {
  readonly source: ValidationRule;
  readonly #compiler: RuleCompiler;
  readonly #schema: JSONSchemaProps;
  readonly #isResource: boolean;
  #compiled: RuleResult | undefined;

  constructor(source: ValidationRule, compiler: RuleCompiler, schema: JSONSchemaProps, isResource: boolean) {
    this.source = source;
    this.#compiler = compiler;
    this.#schema = schema;
    this.#isResource = isResource;
  }

  /** What it is compiled to, if it was already. */
  get known(): RuleResult | undefined {
    return this.#compiled;
  }

  *compile(): Steps<RuleResult> {
    const compiled = yield* this.#compiler.compileInSteps(ruleSource(this.source), this.#schema, this.#isResource);
    this.#compiled = compiled;
    return compiled;
  }

  /** Where below the value the rule says that its problem is. */
  get fieldPath(): ReturnType<typeof readFieldPath> {
    return readFieldPath(this.source.fieldPath ?? '', this.#schema);
  }
}

/** The bytes that a compiled rule takes, with each of its characters, and a part of a schema with its type: measured. */
const RULE_BYTES = 3_000;
const CHARACTER_BYTES = 200;
const PART_BYTES = 1_000;

/** What is compiled of the rules of a schema. */
export class RuleTree {
  readonly root: RuleNode | undefined;
  readonly #vocabulary: Vocabulary;
  readonly #compiler: RuleCompiler;
  /** What it takes once all rules are compiled, roughly. */
  #bytes = 0;

  constructor(source: JSONSchemaProps, vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    this.#compiler = ruleCompiler(vocabulary);
    this.root = this.#node(source, true)?.node;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Undefined where neither the part nor anything below it has rules. `asksForOld`: one of those is about a change. */
  #node(schema: JSONSchemaProps, isResource: boolean): { node: RuleNode; asksForOld: boolean } | undefined {
    const { validations = [], listType, listMapKeys = [] } = schemaExtensions(schema, this.#vocabulary);
    this.#bytes += PART_BYTES;
    const rules = validations.map((rule) => this.#rule(rule, schema, isResource));
    const properties = this.#properties(schema);
    const { additionalProperties, items } = schema;
    const entries = typeof additionalProperties === 'object' ? this.#part(additionalProperties) : undefined;
    const item = items && !isList(items) ? this.#part(items) : undefined;
    const parts = [...properties.values(), ...(entries ? [entries] : []), ...(item ? [item] : [])];
    if (rules.length === 0 && parts.length === 0) return undefined;
    const isKeyed = listType === 'map' && item?.asksForOld === true && !isList(items);
    const node = {
      type: schema.type ?? '',
      rules,
      properties: new Map(Array.from(properties, ([name, part]) => [name, part.node])),
      entries: entries?.node,
      items: item?.node,
      keys: isKeyed && items ? keyFields(items, listMapKeys) : undefined,
    };
    const asksForOld =
      parts.some((part) => part.asksForOld) || validations.some(({ rule }) => rule.includes('oldSelf'));
    return { node, asksForOld };
  }

  #part(schema: JSONSchemaProps): { node: RuleNode; asksForOld: boolean } | undefined {
    return this.#node(schema, schemaExtensions(schema, this.#vocabulary).embeddedResource === true);
  }

  #properties({ properties = {} }: JSONSchemaProps): Map<string, { node: RuleNode; asksForOld: boolean }> {
    const found = new Map<string, { node: RuleNode; asksForOld: boolean }>();
    for (const [name, schema] of Object.entries(properties)) {
      const part = this.#part(schema);
      if (part) found.set(name, part);
    }
    return found;
  }

  #rule(rule: ValidationRule, schema: JSONSchemaProps, isResource: boolean): NodeRule {
    this.#bytes += RULE_BYTES + CHARACTER_BYTES * (rule.rule.length + (rule.messageExpression?.length ?? 0));
    return new NodeRule(rule, this.#compiler, schema, isResource);
  }
}
