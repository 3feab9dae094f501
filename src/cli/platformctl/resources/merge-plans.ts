import type { PlaneClient } from '../../../client/plane-client.ts';
import { apiVersionOfKind, type ServedKind } from '../../../client/served-kind.ts';
import type { MergePlan } from '../../../schema/derive/merge-plan.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';

/** What a strategic merge needs of a schema that a plane publishes. */
interface PublishedSchema {
  readonly $ref?: string;
  readonly allOf?: readonly PublishedSchema[];
  readonly properties?: Readonly<Record<string, PublishedSchema>>;
  readonly items?: PublishedSchema;
  readonly additionalProperties?: PublishedSchema | boolean;
  readonly [extension: string]: unknown;
}

interface SchemaDocument {
  readonly components?: { readonly schemas?: Readonly<Record<string, PublishedSchema>> };
}

interface PublishedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/**
 * How objects of a kind merge, as the plane publishes it. Custom kinds have no such rules, and are merged as plain JSON: for
 * them there is no plan.
 */
export class MergePlans {
  readonly #client: PlaneClient;
  readonly #prefix: string;
  readonly #definitionPrefixes: Vocabulary['definitionPrefixes'];
  /** By `apps/v1`. Asked for once. */
  readonly #documents = new Map<string, Promise<SchemaDocument | undefined>>();

  constructor(client: PlaneClient, vocabulary: Vocabulary) {
    this.#client = client;
    this.#prefix = vocabulary.prefixes.openapiExtension;
    this.#definitionPrefixes = vocabulary.definitionPrefixes;
  }

  async planOf(kind: ServedKind): Promise<MergePlan | undefined> {
    const apiVersion = apiVersionOfKind(kind);
    const path = kind.group === '' ? `/openapi/v3/api/${apiVersion}` : `/openapi/v3/apis/${apiVersion}`;
    const known = this.#documents.get(apiVersion) ?? this.#client.document<SchemaDocument>(path).catch(() => undefined);
    this.#documents.set(apiVersion, known);
    const schemas = (await known)?.components?.schemas ?? {};
    const [, schema] =
      Object.entries(schemas).find(([name, one]) => this.#isBuiltIn(name) && this.#isOf(one, kind)) ?? [];
    return schema && new PublishedPlan(schema, schemas, this.#prefix);
  }

  #isBuiltIn(definition: string): boolean {
    return Object.values(this.#definitionPrefixes).some((prefix) => definition.startsWith(prefix));
  }

  #isOf(schema: PublishedSchema, { group, version, kind }: ServedKind): boolean {
    const kinds = schema[`${this.#prefix}group-version-kind`] as readonly PublishedKind[] | undefined;
    return kinds?.some((one) => one.group === group && one.version === version && one.kind === kind) ?? false;
  }
}

class PublishedPlan implements MergePlan {
  readonly topology: MergePlan['topology'];
  readonly #schema: PublishedSchema;
  readonly #schemas: Readonly<Record<string, PublishedSchema>>;
  readonly #prefix: string;

  constructor(place: PublishedSchema, schemas: Readonly<Record<string, PublishedSchema>>, prefix: string) {
    this.#schemas = schemas;
    this.#prefix = prefix;
    this.#schema = this.#resolve(place);
    // Extensions stand beside the reference, where a field is one.
    const strategy = String(place[`${prefix}patch-strategy`] ?? this.#schema[`${prefix}patch-strategy`] ?? '');
    const mergeKey = place[`${prefix}patch-merge-key`] ?? this.#schema[`${prefix}patch-merge-key`];
    this.topology = {
      ...(strategy === ''
        ? {}
        : { patchStrategy: strategy.split(',') as NonNullable<MergePlan['topology']['patchStrategy']> }),
      ...(typeof mergeKey === 'string' ? { mergeKey } : {}),
    };
  }

  #resolve(place: PublishedSchema): PublishedSchema {
    const reference = place.$ref ?? place.allOf?.[0]?.$ref;
    if (reference === undefined) return place;
    return this.#schemas[reference.slice(reference.lastIndexOf('/') + 1)] ?? place;
  }

  field(name: string): MergePlan | undefined {
    const { properties, additionalProperties } = this.#schema;
    const found = properties && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    return this.#plan(found);
  }

  get item(): MergePlan | undefined {
    return this.#plan(this.#schema.items);
  }

  #plan(schema: PublishedSchema | boolean | undefined): MergePlan | undefined {
    return typeof schema === 'object' ? new PublishedPlan(schema, this.#schemas, this.#prefix) : undefined;
  }
}
