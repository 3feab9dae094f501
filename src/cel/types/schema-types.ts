import { isList } from '../../schema/json-object.ts';
import { escapedName } from './escapes.ts';
import type { Bounds, Field, Type } from './type.ts';
import { BOOL, BYTES, DOUBLE, DURATION, DYN, INT, listOf, mapOf, STRING, TIMESTAMP } from './type.ts';

/** What is read of a schema; it may say more. */
export interface RuleSchema {
  readonly type?: string | undefined;
  readonly format?: string | undefined;
  readonly nullable?: boolean | undefined;
  readonly required?: readonly string[] | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly default?: unknown;
  readonly maxLength?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly maxProperties?: number | undefined;
  readonly properties?: Readonly<Record<string, RuleSchema>> | undefined;
  readonly items?: RuleSchema | readonly RuleSchema[] | undefined;
  readonly additionalProperties?: RuleSchema | boolean | undefined;
}

/** The names of the extensions, which depend on the vocabulary. */
export interface ExtensionNames {
  readonly intOrString: string;
  readonly embeddedResource: string;
  readonly listType: string;
  readonly listMapKeys: string;
}

/** The most bytes of a request, which bounds what the schema does not. */
export const REQUEST_BYTES = 3 * 1024 * 1024;

/** The fewest bytes that a value takes in a document. */
const LEAST = { bool: 4, number: 1, text: 2, duration: 4, date: 12, moment: 21, empty: 2 };
/** A character may take four bytes. */
const CHARACTER_BYTES = 4;

const RESOURCE = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: { type: 'object', properties: { name: { type: 'string' }, generateName: { type: 'string' } } },
} satisfies Readonly<Record<string, RuleSchema>>;

interface Typed {
  readonly type: Type;
  /** The fewest bytes of a value in a document: how many fit into a request. */
  readonly least: number;
}

const UNTYPED: Typed = { type: DYN, least: 0 };

const SCALARS: ReadonlySet<string> = new Set(['boolean', 'integer', 'number', 'string']);

/** A field whose type is made when it is asked for: of a large schema, rules read a few. */
class SchemaField implements Field {
  readonly name: string;
  readonly #typed: () => Typed;

  constructor(name: string, typed: () => Typed) {
    this.name = name;
    this.#typed = typed;
  }

  get type(): Type {
    return this.#typed().type;
  }
}

/** A schema is nested at most so deep; what is below has no type. */
const DEEPEST = 200;

/**
 * The types that schemas give to values in expressions. A schema has one type for as long as it lives, so that two parts of
 * an object are of one type exactly when one schema declares them.
 */
export class SchemaTypes {
  readonly #names: ExtensionNames;
  readonly #values = new WeakMap<RuleSchema, Typed | null>();
  readonly #resources = new WeakMap<RuleSchema, Typed | null>();

  constructor(names: ExtensionNames) {
    this.#names = names;
  }

  /** Undefined where the schema says too little: such a value cannot be named. A resource has metadata of its own. */
  typeOf(schema: RuleSchema, isResource: boolean): Type | undefined {
    return this.#typed(schema, isResource, 0)?.type;
  }

  /** How many values of the schema a request has room for. */
  mostInRequest(schema: RuleSchema, isResource: boolean): number {
    return Math.floor(REQUEST_BYTES / ((this.#typed(schema, isResource, 0)?.least ?? 0) + 1));
  }

  #extension(schema: RuleSchema, name: keyof ExtensionNames): unknown {
    return Reflect.get(schema, this.#names[name]);
  }

  #typed(schema: RuleSchema, isResource: boolean, depth: number): Typed | undefined {
    const known = isResource ? this.#resources : this.#values;
    const found = known.get(schema);
    if (found !== undefined) return found ?? undefined;
    const made = depth > DEEPEST ? undefined : this.#make(schema, isResource, depth);
    const typed = made && schema.nullable ? { ...made, type: { ...made.type, isNullable: true } as Type } : made;
    known.set(schema, typed ?? null);
    return typed;
  }

  #inner(schema: RuleSchema, depth: number): Typed | undefined {
    return this.#typed(schema, this.#extension(schema, 'embeddedResource') === true, depth + 1);
  }

  /** Whether `typeOf` gives a type, without making those of what is inside. */
  #isTyped(schema: RuleSchema, depth: number): boolean {
    if (depth > DEEPEST) return false;
    const { type = '', items, additionalProperties: entries } = schema;
    if (this.#extension(schema, 'intOrString') === true) return true;
    if (type === 'array') return items !== undefined && !isList(items) && this.#isTyped(items, depth + 1);
    if (type === 'object') return typeof entries !== 'object' || this.#isTyped(entries, depth + 1);
    return SCALARS.has(type);
  }

  #make(schema: RuleSchema, isResource: boolean, depth: number): Typed | undefined {
    if (this.#extension(schema, 'intOrString') === true) return { type: DYN, least: LEAST.number };
    switch (schema.type) {
      case 'boolean':
        return { type: BOOL, least: LEAST.bool };
      case 'integer':
        return { type: INT, least: LEAST.number };
      case 'number':
        return { type: DOUBLE, least: LEAST.number };
      case 'string':
        return textType(schema);
      case 'array':
        return this.#list(schema, depth);
      case 'object':
        return this.#object(schema, isResource, depth);
      default:
        return undefined;
    }
  }

  #list(schema: RuleSchema, depth: number): Typed | undefined {
    const { items, maxItems } = schema;
    if (!items || isList(items)) return undefined;
    const item = this.#inner(items, depth);
    if (!item) return undefined;
    const most = Math.floor((REQUEST_BYTES - 2) / (item.least + 1));
    const type = listOf(item.type, bounds(maxItems, most, 'maxItems'));
    const keys = this.#keys(schema);
    return { type: keys ? { ...type, keys } : type, least: LEAST.empty };
  }

  #keys(schema: RuleSchema): 'set' | readonly string[] | undefined {
    const listType = this.#extension(schema, 'listType');
    if (listType === 'set') return 'set';
    const keys = this.#extension(schema, 'listMapKeys');
    return listType === 'map' && Array.isArray(keys) ? keys.map(String) : undefined;
  }

  #object(schema: RuleSchema, isResource: boolean, depth: number): Typed | undefined {
    const { additionalProperties: entries, maxProperties } = schema;
    if (typeof entries === 'object') {
      const value = this.#inner(entries, depth);
      if (!value) return undefined;
      const most = Math.floor((REQUEST_BYTES - 2) / (value.least + 6));
      return { type: mapOf(STRING, value.type, bounds(maxProperties, most, 'maxProperties')), least: LEAST.empty };
    }
    return this.#fields(isResource ? withResource(schema) : schema, depth);
  }

  #fields({ properties = {}, required = [] }: RuleSchema, depth: number): Typed {
    const fields = new Map<string, Field>();
    const isRequired = new Set(required);
    let least = LEAST.empty;
    for (const [name, property] of Object.entries(properties)) {
      if (!this.#isTyped(property, depth + 1)) continue;
      const inner = (): Typed => this.#inner(property, depth) ?? UNTYPED;
      const spelled = escapedName(name);
      if (spelled !== undefined) fields.set(spelled, new SchemaField(name, inner));
      if (isRequired.has(name) && property.default === undefined) least += name.length + inner().least + 4;
    }
    return { type: { kind: 'object', name: 'object', fields }, least };
  }
}

/** Where the schema has no bound, as many as a request has room for. */
function bounds(declared: number | undefined, most: number, word: NonNullable<Bounds['missing']>): Bounds {
  return declared === undefined ? { size: most, missing: word } : { size: Math.max(declared, 0) };
}

function textType({ format, maxLength, enum: values }: RuleSchema): Typed {
  switch (format) {
    case 'byte':
      return { type: { ...BYTES, ...bounds(maxLength, REQUEST_BYTES - 2, 'maxLength') }, least: LEAST.text };
    case 'duration':
      return { type: DURATION, least: LEAST.duration };
    case 'date':
      return { type: TIMESTAMP, least: LEAST.date };
    case 'date-time':
      return { type: TIMESTAMP, least: LEAST.moment };
    default:
  }
  if (maxLength !== undefined) {
    return { type: { ...STRING, size: Math.max(maxLength, 0) * CHARACTER_BYTES }, least: LEAST.text };
  }
  if (values && values.length > 0) return { type: { ...STRING, size: longest(values) }, least: LEAST.text };
  return { type: { ...STRING, size: REQUEST_BYTES - 2, missing: 'maxLength' }, least: LEAST.text };
}

const longest = (values: readonly unknown[]): number =>
  values.reduce<number>((most, value) => Math.max(most, typeof value === 'string' ? value.length : 0), 0);

/** Every resource has a kind and a name, whatever its schema says of them. */
function withResource(schema: RuleSchema): RuleSchema {
  const { metadata } = schema.properties ?? {};
  const named = { ...RESOURCE.metadata.properties, ...metadata?.properties };
  const meta: RuleSchema = { type: 'object', ...metadata, properties: named };
  return { ...schema, properties: { ...schema.properties, ...RESOURCE, metadata: meta } };
}
