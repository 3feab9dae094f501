import type { Facts } from '../facts.ts';
import type { Node, StructShape, UnionShape, Visitor } from '../node.ts';
import type { PublishedScalar } from '../scalar-type.ts';

/** A schema as OpenAPI writes it. */
export type JsonSchema = { [key: string]: unknown };

/** The keys of what OpenAPI has no word for. */
export interface ExtensionNames {
  readonly groupVersionKind: string;
  readonly listType: string;
  readonly listMapKeys: string;
  readonly mapType: string;
  readonly patchStrategy: string;
  readonly patchMergeKey: string;
  readonly unions: string;
  readonly preserveUnknownFields: string;
}

/**
 * The two ways to publish. They differ in that `v3` shows defaults and lets nothing stand beside a reference, and in where
 * definitions are.
 */
export type Flavour = 'v2' | 'v3';

const REFERENCE: Readonly<Record<Flavour, string>> = { v2: '#/definitions/', v3: '#/components/schemas/' };

export interface PublishOptions {
  readonly flavour: Flavour;
  readonly extensions: ExtensionNames;
  /** The published name of a type, from the one it is declared under. */
  nameOf(type: string): string;
  /** Under which kinds the objects of a type travel; absent: the type is only ever a part. */
  kindsOf(type: string): readonly object[] | undefined;
}

/** Where a node stands decides what is said beside its type, and whether its zero counts as its default. */
type Place = 'alone' | 'field' | 'item';

/**
 * The published form of declarations. Named types are defined once and referred to by everything that uses them, so
 * that a document has to take over `definitions` after it has published all it needs.
 */
export class Publisher {
  /** By published name; grows with every `refer`. */
  readonly definitions = new Map<string, JsonSchema>();
  readonly #options: PublishOptions;
  readonly #alone: Visitor<JsonSchema> = this.#visitor('alone');
  readonly #asField: Visitor<JsonSchema> = this.#visitor('field');
  readonly #asItem: Visitor<JsonSchema> = this.#visitor('item');

  constructor(options: PublishOptions) {
    this.#options = options;
  }

  /** The type of a node by itself: for most a reference, without what its use as a field would add. */
  refer(node: Node): JsonSchema {
    return node.accept(this.#alone);
  }

  #visitor(place: Place): Visitor<JsonSchema> {
    return {
      scalar: ({ scalar: { published, zero } }, facts) =>
        published.name === undefined
          ? { ...this.#inline(published), ...this.#beside(facts, place, zero ?? undefined) }
          : this.#reference(published.name, () => this.#inline(published), this.#beside(facts, place, {})),
      struct: (shape, facts) => this.#reference(shape.name, () => this.#struct(shape), this.#beside(facts, place, {})),
      loose: ({ publish }) => publish?.(this.#options.flavour, (node) => this.refer(node)) ?? {},
      union: (shape, facts) => this.#reference(shape.name, () => unionOf(shape), this.#beside(facts, place, {})),
      list: (shape, facts) => ({
        type: 'array',
        items: shape.item().accept(this.#asItem),
        ...this.#beside(facts, place, undefined),
      }),
      map: (shape, facts) => ({
        type: 'object',
        additionalProperties: shape.item().accept(this.#asItem),
        ...this.#beside(facts, place, undefined),
      }),
    };
  }

  /** A scalar where it stands, or its definition. */
  #inline({ type, format, accepts, items, description }: PublishedScalar): JsonSchema {
    const choice = accepts && this.#options.flavour === 'v3' && { oneOf: accepts.map((each) => ({ type: each })) };
    return {
      ...(description !== undefined && { description }),
      ...(choice || (type !== undefined && { type })),
      ...(format !== undefined && { format }),
      ...(items && { items: { ...this.#inline(items), ...this.#showDefault('') } }),
    };
  }

  /** A type without a name is published where it stands. */
  #reference(name: string, define: () => JsonSchema, own: JsonSchema): JsonSchema {
    if (name === '') return { ...define(), ...own };
    const { flavour, nameOf } = this.#options;
    const published = nameOf(name);
    this.#define(published, define);
    const reference = { $ref: REFERENCE[flavour] + published };
    if (flavour === 'v2') return { ...reference, ...own };
    return Object.keys(own).length === 0 ? reference : { allOf: [reference], ...own };
  }

  #define(name: string, define: () => JsonSchema): void {
    if (this.definitions.has(name)) return;
    // A type that contains itself meets its own name while it is being defined.
    const schema: JsonSchema = {};
    this.definitions.set(name, schema);
    Object.assign(schema, define());
  }

  #struct(shape: StructShape): JsonSchema {
    const { extensions, kindsOf } = this.#options;
    const { name, description, discriminator, topology } = shape;
    // Readers of the older flavour take fields for unknown that stand beside others.
    const isOpen = shape.rest !== undefined;
    const showsFields = !isOpen || this.#options.flavour === 'v3';
    const properties: JsonSchema = shape.typed && showsFields ? { ...TYPE_META } : {};
    const required: string[] = [];
    if (showsFields) this.#addFields(shape, properties, required);
    const kinds = kindsOf(name);
    return {
      ...(description !== undefined && { description }),
      type: 'object',
      ...(required.length > 0 && { required }),
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(kinds && { [extensions.groupVersionKind]: kinds }),
      ...(isOpen && { [extensions.preserveUnknownFields]: true }),
      ...(topology.mapType !== undefined && { [extensions.mapType]: topology.mapType }),
      ...(discriminator && {
        [extensions.unions]: [
          { discriminator: discriminator.field, 'fields-to-discriminateBy': discriminator.selects },
        ],
      }),
    };
  }

  #addFields(shape: StructShape, properties: JsonSchema, required: string[]): void {
    for (const [name, { node, inline, description }] of Object.entries(shape.fields)) {
      if (inline) {
        node.accept(inlined((inner) => this.#addFields(inner, properties, required)));
        continue;
      }
      if (node.facts.unpublished) continue;
      properties[name] = this.#described(node.accept(this.#asField), description ?? node.accept(ownDescription));
      if (node.facts.required) required.push(name);
    }
  }

  #described(schema: JsonSchema, description: string | undefined): JsonSchema {
    if (description === undefined) return schema;
    const isBareReference = this.#options.flavour === 'v3' && '$ref' in schema;
    return isBareReference ? { allOf: [schema], description } : { description, ...schema };
  }

  /** What is said of a node beside its type. `zero` is undefined for types without one. */
  #beside(facts: Facts, place: Place, zero: unknown): JsonSchema {
    if (place === 'alone') return {};
    const { presence, publishedDefault, default: own } = facts;
    const isUnsetAtZero = presence === 'always' || (place === 'item' && presence === 'implicit');
    const fallback = publishedDefault ? own : isUnsetAtZero ? zero : undefined;
    return { ...(fallback !== undefined && this.#showDefault(fallback)), ...this.#showFacts(facts) };
  }

  #showDefault(value: unknown): JsonSchema {
    return this.#options.flavour === 'v3' ? { default: value } : {};
  }

  #showFacts({ allowed, suggested, topology }: Facts): JsonSchema {
    const { extensions } = this.#options;
    const { listType, keys, mapType, patchStrategy, mergeKey } = topology;
    const choices = allowed ?? suggested;
    return {
      ...(choices && { enum: [...choices].sort() }),
      ...(keys && { [extensions.listMapKeys]: keys }),
      ...(listType !== undefined && { [extensions.listType]: listType }),
      ...(mapType !== undefined && { [extensions.mapType]: mapType }),
      ...(mergeKey !== undefined && { [extensions.patchMergeKey]: mergeKey }),
      ...(patchStrategy && { [extensions.patchStrategy]: patchStrategy.join(',') }),
    };
  }
}

const TYPE_META: JsonSchema = {
  apiVersion: {
    type: 'string',
    description:
      'Group and version that the object is written in, such as apps/v1; kinds of the core group have a version only.',
  },
  kind: {
    type: 'string',
    description: 'Name of the kind, such as Deployment; it decides which other fields there are, and never changes.',
  },
};

/** Any of its forms goes: OpenAPI v2 cannot tell them apart, and clients treat both flavours alike. */
const unionOf = ({ forms }: UnionShape): JsonSchema => ({
  description: `Value in one of these JSON forms: ${Object.values(forms)
    .map(({ takes }) => takes)
    .join(', ')}.`,
});

/** What a type says of itself, for fields that have nothing to add; a type without a name shows it where it stands. */
const ownDescription: Visitor<string | undefined> = {
  scalar: () => undefined,
  list: () => undefined,
  map: () => undefined,
  union: () => undefined,
  loose: () => undefined,
  struct: ({ name, description }) => (name === '' ? undefined : description),
};

const notInlined = (): never => {
  throw new TypeError('only structs can be inlined');
};

const inlined = (add: (shape: StructShape) => void): Visitor<void> => ({
  scalar: notInlined,
  list: notInlined,
  map: notInlined,
  union: notInlined,
  loose: notInlined,
  struct: (shape) => add(shape),
});
