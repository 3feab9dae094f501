import { type Flavour, type JsonSchema, Publisher } from '../../schema/derive/openapi.ts';
import type { Node } from '../../schema/node.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { Answer, Endpoint, Operation } from './endpoint.ts';
import type { KindIndex } from './kind-index.ts';
import type { PublishedNames } from './names.ts';
import { isShared, type Parameter } from './parameters.ts';

/** What documents of all flavours are written from. */
export interface Material {
  readonly vocabulary: Vocabulary;
  readonly names: PublishedNames;
  readonly kinds: KindIndex;
}

const PARAMETERS: Readonly<Record<Flavour, string>> = { v2: '#/parameters/', v3: '#/components/parameters/' };

/** A document while it is being written: what its paths refer to gathers here. */
export class Draft {
  /** Parameters that paths refer to, by name. */
  readonly sharedParameters = new Map<string, JsonSchema>();
  readonly #material: Material;
  readonly #flavour: Flavour;
  readonly #publisher: Publisher;
  readonly #schemas = new Map<Node, JsonSchema>();
  readonly #written = new Map<readonly Parameter[], readonly JsonSchema[]>();
  readonly #writeParameter: (parameter: Parameter) => JsonSchema;

  constructor(flavour: Flavour, material: Material, writeParameter: (parameter: Parameter) => JsonSchema) {
    const { vocabulary, names, kinds } = material;
    this.#material = material;
    this.#flavour = flavour;
    this.#writeParameter = writeParameter;
    this.#publisher = new Publisher({
      flavour,
      extensions: vocabulary.openapiExtensions,
      nameOf: names.definition,
      kindsOf: (type) => kinds.get(type),
    });
  }

  /** Definitions that paths refer to, and those that these refer to, by name. */
  get definitions(): ReadonlyMap<string, JsonSchema> {
    return this.#publisher.definitions;
  }

  schemaOf(node: Node): JsonSchema {
    const known = this.#schemas.get(node) ?? this.#publisher.refer(node);
    this.#schemas.set(node, known);
    return known;
  }

  /** Many operations have the same parameters, so they are written once. */
  parameters(wanted: readonly Parameter[]): readonly JsonSchema[] {
    const known = this.#written.get(wanted);
    if (known) return known;
    const written = wanted.map((each) => this.#parameter(each));
    this.#written.set(wanted, written);
    return written;
  }

  #parameter(parameter: Parameter): JsonSchema {
    if (!isShared(parameter)) return this.#writeParameter(parameter);
    const { name } = parameter;
    if (!this.sharedParameters.has(name)) this.sharedParameters.set(name, this.#writeParameter(parameter));
    return { $ref: PARAMETERS[this.#flavour] + name };
  }

  /** What both flavours say of an operation in the same words. */
  head({ tag }: Endpoint, { id, description, action, kind }: Operation): JsonSchema {
    const { openapiExtensions } = this.#material.vocabulary;
    return {
      description,
      operationId: id,
      tags: [tag],
      ...(action !== undefined && { [openapiExtensions.action]: action }),
      ...(kind && { [openapiExtensions.groupVersionKind]: kind }),
    };
  }
}

/** Entries in the order of their names. */
export const sorted = <T>(entries: Iterable<readonly [string, T]>): [string, T][] =>
  [...entries].map(([name, value]): [string, T] => [name, value]).sort(([a], [b]) => (a < b ? -1 : 1));

/** How statuses are called. */
const STATUS_TEXTS: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  401: 'Unauthorized',
};

/** The answers of an operation by status; `write` says what an answer holds. Any can be refused for want of credentials. */
export function responsesOf(answers: readonly Answer[], write: (node: Node) => JsonSchema): JsonSchema {
  const responses: Record<string, JsonSchema> = {};
  for (const { status, node } of answers) responses[status] = { description: STATUS_TEXTS[status], ...write(node) };
  responses[401] = { description: STATUS_TEXTS[401] };
  return responses;
}

export const SECURITY = {
  BearerToken: {
    type: 'apiKey',
    name: 'authorization',
    in: 'header',
    description: 'A token, written as Bearer <token>.',
  },
};
