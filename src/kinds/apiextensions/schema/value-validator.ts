import type { Steps } from '../../../runtime/pacing.ts';
import { isList, isObject, type JsonObject } from '../../../schema/json-object.ts';
import type { Path } from '../../../schema/path.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import { type JSONSchemaProps, schemaExtensions } from '../json-schema.ts';
import { type Checking, Findings } from './findings.ts';
import { boundsLook, type CheckOf, enumCheck, numberCheck, textCheck } from './scalar-checks.ts';

/** What a schema says of values, prepared. Absent: nothing. */
interface Checks {
  /** Types that are allowed; empty: all. */
  readonly types: readonly string[];
  readonly ofTexts: CheckOf<string> | undefined;
  readonly ofNumbers: CheckOf<number> | undefined;
  readonly ofAll: CheckOf<unknown> | undefined;
  readonly properties: ReadonlyMap<string, ValueValidator>;
  readonly rest: ValueValidator | undefined;
  readonly item: ValueValidator | undefined;
  readonly allOf: readonly ValueValidator[];
  readonly anyOf: readonly ValueValidator[];
  readonly oneOf: readonly ValueValidator[];
  readonly not: ValueValidator | undefined;
  /** Whether there are any of the last four. */
  readonly combines: boolean;
  /** Whether there is no more to it than types and the bounds of texts and numbers, */
  readonly isScalar: boolean;
  /** which a look may show to be met, */
  isWithin(value: unknown): boolean;
  /** or no more than types. */
  readonly isPlain: boolean;
}

/** What schemas are read with. */
export interface ValidatorSettings {
  readonly vocabulary: Vocabulary;
  /** What an update leaves alone is not looked at: it may have become wrong by a change of the schema. */
  readonly ratcheting: boolean;
}

/**
 * Holds values against a schema: types, formats, bounds and combinations. What is in a value is looked at even where the
 * value itself is wrong, but for objects with too few or too many properties. Prepared on first use, level by level.
 */
export class ValueValidator {
  readonly #source: JSONSchemaProps;
  readonly #settings: ValidatorSettings;
  #prepared: Checks | undefined;

  constructor(source: JSONSchemaProps, settings: ValidatorSettings) {
    this.#source = source;
    this.#settings = settings;
  }

  /** `old`: what was in the same place before an update; undefined where nothing was, or nobody can tell. */
  check(value: unknown, old: unknown, path: Path, findings: Findings, checking: Checking): void {
    checking.visit(path);
    if (this.#settings.ratcheting && old !== undefined && value === old) return;
    const checks = this.#checks;
    if (this.#fits(value, checks.types)) findings.matches++;
    else findings.wrongType(path, checks.types.join(), typeOf(value));
    checks.ofAll?.(value, path, findings, checking);
    if (checks.isPlain || value === null) return;
    if (checks.combines) {
      checking.beginAttempts();
      this.#checkLogic(value, old, path, findings, checking);
      checking.endAttempts();
    }
    if (typeof value === 'string') checks.ofTexts?.(value, path, findings, checking);
    else if (typeof value === 'number') checks.ofNumbers?.(value, path, findings, checking);
    else if (isList(value)) this.#checkList(value, old, path, findings, checking);
    else if (isObject(value)) this.#checkObject(value, old, path, findings, checking);
  }

  /** Whether it takes no more than a look to see that the value is fine. */
  isClearlyMet(value: unknown): boolean {
    const checks = this.#checks;
    return checks.isScalar && typeof value !== 'object' && checks.isWithin(value) && this.#fits(value, checks.types);
  }

  get #checks(): Checks {
    this.#prepared ??= this.#prepare();
    return this.#prepared;
  }

  #prepare(): Checks {
    const source = this.#source;
    const { properties = {}, additionalProperties: rest, items, allOf = [], anyOf = [], oneOf = [], not } = source;
    const inner = (schema: JSONSchemaProps): ValueValidator => new ValueValidator(schema, this.#settings);
    const checks = {
      types: typesOf(source, this.#settings.vocabulary),
      ofTexts: textCheck(source),
      ofNumbers: numberCheck(source),
      ofAll: enumCheck(source),
      properties: new Map(Object.entries(properties).map(([name, property]) => [name, inner(property)])),
      rest: typeof rest === 'object' ? inner(rest) : undefined,
      item: items === undefined || isList(items) ? undefined : inner(items),
      allOf: allOf.map(inner),
      anyOf: anyOf.map(inner),
      oneOf: oneOf.map(inner),
      not: not && inner(not),
    };
    const combines = allOf.length + anyOf.length + oneOf.length > 0 || not !== undefined;
    const isScalar = isPlain(source) && !checks.ofAll;
    return {
      ...checks,
      combines,
      isScalar,
      isWithin: boundsLook(source),
      isPlain: isScalar && !checks.ofTexts && !checks.ofNumbers,
    };
  }

  #fits(value: unknown, types: readonly string[]): boolean {
    if (types.length === 0) return true;
    if (value === null) return this.#source.nullable === true;
    const type = typeOf(value);
    return types.includes(type) || (type === 'integer' && types.includes('number'));
  }

  #checkList(value: readonly unknown[], old: unknown, path: Path, findings: Findings, checking: Checking): void {
    const { item } = this.#checks;
    if (item) {
      const before = this.#correlated(old);
      const look = (at: number, found: Findings): void => {
        const each = value[at];
        if (!item.isClearlyMet(each)) item.check(each, before(each), path.index(at), found, checking);
      };
      lookAtAll(value.keys(), look, findings, checking);
    }
    const { minItems, maxItems } = this.#source;
    if (minItems !== undefined && value.length < minItems) {
      findings.invalid(path, value.length, `should have at least ${minItems} items`);
    }
    if (maxItems !== undefined && value.length > maxItems) findings.tooMany(path, value.length, maxItems);
  }

  /** Finds what an item was before: only items of maps can be told from each other. */
  #correlated(old: unknown): (item: unknown) => unknown {
    if (!this.#settings.ratcheting || !isList(old)) return () => undefined;
    const { listType, listMapKeys = [] } = schemaExtensions(this.#source, this.#settings.vocabulary);
    if (listType !== 'map') return () => undefined;
    const keyOf = (item: unknown): string => JSON.stringify(listMapKeys.map((key) => isObject(item) && item[key]));
    const byKey = new Map(old.map((item) => [keyOf(item), item]));
    return (item) => byKey.get(keyOf(item));
  }

  #checkObject(value: JsonObject, old: unknown, path: Path, findings: Findings, checking: Checking): void {
    const { minProperties, maxProperties, required = [] } = this.#source;
    const count = minProperties === undefined && maxProperties === undefined ? 0 : Object.keys(value).length;
    if (minProperties !== undefined && count < minProperties) {
      findings.invalid(path, count, `should have at least ${minProperties} properties`);
      return;
    }
    if (maxProperties !== undefined && count > maxProperties) {
      findings.tooMany(path, count, maxProperties);
      return;
    }
    const { properties, rest } = this.#checks;
    const before = isObject(old) ? old : undefined;
    const names = Object.keys(value);
    const look = (name: string, found: Findings): void => {
      const inner = properties.get(name) ?? rest;
      const inside = value[name];
      if (!inner || inside === undefined || inner.isClearlyMet(inside)) return;
      inner.check(inside, before && ownOf(before, name), path.child(name), found, checking);
    };
    lookAtAll(names.values(), look, findings, checking);
    for (const name of required) if (ownOf(value, name) === undefined) findings.required(path.child(name));
  }

  #checkLogic(value: unknown, old: unknown, path: Path, findings: Findings, checking: Checking): void {
    const { anyOf, oneOf, allOf, not } = this.#checks;
    const attempt = (validator: ValueValidator): Findings => {
      const found = new Findings();
      validator.check(value, old, path, found, checking);
      return found;
    };
    if (anyOf.length > 0) checkAnyOf(anyOf, attempt, path, findings);
    if (oneOf.length > 0) checkOneOf(oneOf, attempt, path, findings);
    if (allOf.length > 0) checkAllOf(allOf, attempt, path, findings);
    if (not && attempt(not).isEmpty) findings.unsatisfied(path, 'must not validate the schema (not)');
  }
}

type Look<P> = (place: P, findings: Findings) => void;

/** Looks at what is in each place; from where a rest is due on, later. */
function lookAtAll<P>(places: IterableIterator<P>, look: Look<P>, findings: Findings, checking: Checking): void {
  while (!checking.isRestDue) {
    const next = places.next();
    if (next.done) return;
    look(next.value, findings);
  }
  checking.later.leave(lookLater(places, look, findings.later(), checking));
}

function* lookLater<P>(
  places: IterableIterator<P>,
  look: Look<P>,
  findings: Findings,
  checking: Checking,
): Steps<void> {
  for (const place of places) {
    if (checking.isRestDue) yield* checking.rest();
    look(place, findings);
  }
}

const ownOf = (object: JsonObject, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined);

const INT_OR_STRING = ['integer', 'string'];

function typesOf(source: JSONSchemaProps, vocabulary: Vocabulary): readonly string[] {
  if (source.type) return [source.type];
  return schemaExtensions(source, vocabulary).intOrString ? INT_OR_STRING : [];
}

/** Words that concern what is in a value, or several schemas. */
const INNER = [
  ...(['properties', 'additionalProperties', 'items', 'required', 'allOf', 'anyOf', 'oneOf', 'not'] as const),
  ...(['minItems', 'maxItems', 'minProperties', 'maxProperties'] as const),
];

const isPlain = (source: JSONSchemaProps): boolean => INNER.every((word) => source[word] === undefined);

/** What schemas call the type of a value. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** What a value is found to be by one of several schemas. */
type Attempt = (validator: ValueValidator) => Findings;

/** Of several ways to fail, the first of those that came closest. */
const closer = (best: Findings | undefined, found: Findings): Findings =>
  best && best.matches >= found.matches ? best : found;

function checkAnyOf(validators: readonly ValueValidator[], attempt: Attempt, path: Path, findings: Findings): void {
  let best: Findings | undefined;
  for (const validator of validators) {
    const found = attempt(validator);
    if (found.isEmpty) return;
    best = closer(best, found);
  }
  findings.unsatisfied(path, 'must validate at least one schema (anyOf)');
  if (best) findings.add(best);
}

function checkOneOf(validators: readonly ValueValidator[], attempt: Attempt, path: Path, findings: Findings): void {
  let best: Findings | undefined;
  let met = 0;
  for (const validator of validators) {
    const found = attempt(validator);
    if (found.isEmpty) met++;
    else best = closer(best, found);
  }
  if (met === 1) return;
  const count = met === 0 ? 'Found none valid' : `Found ${met} valid alternatives`;
  findings.unsatisfied(path, `must validate one and only one schema (oneOf). ${count}`);
  if (met === 0 && best) findings.add(best);
}

function checkAllOf(validators: readonly ValueValidator[], attempt: Attempt, path: Path, findings: Findings): void {
  let failed = 0;
  for (const validator of validators) {
    const found = attempt(validator);
    if (found.isEmpty) continue;
    failed++;
    findings.add(found);
  }
  if (failed === 0) return;
  const none = failed === validators.length ? '. None validated' : '';
  findings.unsatisfied(path, `must validate all the schemas (allOf)${none}`);
}
