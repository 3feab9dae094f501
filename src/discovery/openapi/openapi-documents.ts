import type { Action } from '../../handlers/actions/action.ts';
import type { Connector } from '../../handlers/connect/connector.ts';
import type { Catalogue } from '../../registry/catalogue.ts';
import type { ResourceType } from '../../registry/resource-type.ts';
import { type Rest, restEveryTurn } from '../../runtime/pacing.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { type Document, digestOf, documentOf, documentOfBytes } from '../document.ts';
import type { GroupSource } from '../group-source.ts';
import { versionInfo } from '../version.ts';
import { addressOf } from './addresses.ts';
import type { Material } from './draft.ts';
import type { Part } from './endpoint.ts';
import { kindIndex } from './kind-index.ts';
import { mergeV2 } from './merge-v2.ts';
import { publishedNames } from './names.ts';
import { partsOf } from './parts.ts';
import type { RemoteSchemas, RemoteV2 } from './remote-schemas.ts';
import { stringifySlowly } from './turns.ts';
import { v2Document } from './v2-document.ts';
import { encodeV2 } from './v2-protobuf.ts';
import { v3Document } from './v3-document.ts';

export interface OpenapiOptions {
  readonly catalogue: Catalogue;
  readonly vocabulary: Vocabulary;
  readonly actions: ReadonlyMap<string, Action>;
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly runtime: Runtime;
  /** What is published of what the catalogue has, and in which order; all of it unless given. */
  readonly groups?: GroupSource;
  /** What other servers publish; absent: there are none. */
  readonly remote?: RemoteSchemas;
  /** Told when the schemas of all groups were put together, for the first time or anew, and how long that took. */
  onMerged?(isFirst: boolean, milliseconds: number): void;
}

/** What is served at one revision of the catalogue. */
interface Edition {
  readonly revision: number;
  readonly parts: ReadonlyMap<string, Part>;
  readonly material: Material;
  v2?: Promise<Document>;
  v2Binary?: Promise<Document>;
  index?: Promise<Document>;
}

/**
 * The published schemas, built when they are first asked for and again when the catalogue has changed. Only their bytes
 * are kept. Documents of parts outlive a change that is not theirs, so that a new custom kind costs no more than its own.
 */
export class OpenapiDocuments {
  readonly #options: OpenapiOptions;
  readonly #parts = new Map<
    string,
    { readonly types: readonly ResourceType[]; readonly document: Promise<Document> }
  >();
  #edition: Edition;
  #hasMerged = false;

  constructor(options: OpenapiOptions) {
    this.#options = options;
    this.#edition = this.#newEdition();
  }

  async v2(): Promise<Document> {
    const others = await this.#othersV2();
    const edition = this.#current();
    edition.v2 ??= this.#buildV2(edition, others, async (document, rest) =>
      Buffer.from(await stringifySlowly(document, rest)),
    );
    return edition.v2;
  }

  /** The same in its binary form. */
  async v2Binary(): Promise<Document> {
    const others = await this.#othersV2();
    const edition = this.#current();
    edition.v2Binary ??= this.#buildV2(edition, others, encodeV2);
    return edition.v2Binary;
  }

  /** The addresses of the documents of all parts. */
  async index(): Promise<Document> {
    const others = (await this.#options.remote?.parts()) ?? new Map();
    const edition = this.#current();
    edition.index ??= this.#buildIndex(edition, others);
    return edition.index;
  }

  /** Undefined where there is no such part. */
  async part(name: string): Promise<Document | undefined> {
    return (await this.#options.remote?.part(name)) ?? this.#ownPart(name);
  }

  #ownPart(name: string): Promise<Document> | undefined {
    const edition = this.#current();
    const part = edition.parts.get(name);
    if (!part) return undefined;
    const known = this.#parts.get(name);
    if (known && areSame(known.types, part.types)) return known.document;
    const document = this.#buildPart(part, edition);
    this.#parts.set(name, { types: part.types, document });
    return document;
  }

  #current(): Edition {
    if (this.#edition.revision === this.#revision()) return this.#edition;
    this.#edition = this.#newEdition();
    for (const name of this.#parts.keys()) if (!this.#edition.parts.has(name)) this.#parts.delete(name);
    return this.#edition;
  }

  #othersV2(): Promise<readonly RemoteV2[]> | readonly RemoteV2[] {
    return this.#options.remote?.v2() ?? [];
  }

  #revision(): number {
    const { catalogue, groups = catalogue, remote } = this.#options;
    return groups.revision + (remote?.revision ?? 0);
  }

  #newEdition(): Edition {
    const { catalogue, groups = catalogue, remote, vocabulary, actions, connectors } = this.#options;
    const isElsewhere = (group: string, version: string): boolean => remote?.has(group, version) === true;
    const names = publishedNames(vocabulary);
    const parts = partsOf(catalogue, groups, { vocabulary, names, actions, connectors }, isElsewhere);
    return {
      revision: this.#revision(),
      parts: new Map(parts.map((part) => [part.name, part])),
      material: { vocabulary, names, kinds: kindIndex(catalogue, actions, vocabulary) },
    };
  }

  async #buildV2({ parts, material }: Edition, others: readonly RemoteV2[], encode: Encode): Promise<Document> {
    const { runtime, remote, onMerged } = this.#options;
    const began = runtime.monotonic();
    const rest = restEveryTurn(runtime);
    const own = await v2Document([...parts.values()], material, rest);
    const onError = (source: string, error: unknown): void => remote?.onError(source, error);
    const document = documentOfBytes(await encode(await mergeV2(own, others, rest, onError), rest));
    onMerged?.(!this.#hasMerged, runtime.monotonic() - began);
    this.#hasMerged = true;
    return document;
  }

  async #buildPart(part: Part, { material }: Edition): Promise<Document> {
    const rest = restEveryTurn(this.#options.runtime);
    const bytes = Buffer.from(await stringifySlowly(await v3Document(part, material, rest), rest));
    const digest = digestOfPart(part);
    return digest === undefined ? documentOfBytes(bytes) : { bytes, digest };
  }

  async #buildIndex({ parts }: Edition, others: ReadonlyMap<string, Document>): Promise<Document> {
    const paths: Record<string, object> = {};
    const rest = restEveryTurn(this.#options.runtime);
    for (const [name, part] of parts) {
      const digest = digestOfPart(part) ?? (await this.#ownPart(name))?.digest;
      if (digest !== undefined) paths[name] = { serverRelativeURL: addressOf(name, { digest }) };
      await rest();
    }
    for (const [name, document] of others) paths[name] = { serverRelativeURL: addressOf(name, document) };
    return documentOf({ paths });
  }
}

/**
 * What the document of a part is told apart by, where it has custom kinds: it says of the document what its bytes would,
 * and can be told without compiling their schemas. What else is in it is a matter of what was built. Undefined: the bytes
 * are to be looked at.
 */
function digestOfPart({ name, types }: Part): string | undefined {
  if (types.every(({ digest }) => digest === undefined)) return undefined;
  const { gitVersion, gitCommit, buildDate } = versionInfo;
  const made = types.map(({ plural, digest = '' }) => [plural, digest]);
  return digestOf(JSON.stringify([name, gitVersion, gitCommit, buildDate, made]));
}

type Encode = (document: Awaited<ReturnType<typeof v2Document>>, rest: Rest) => Promise<Buffer>;

const areSame = (one: readonly ResourceType[], other: readonly ResourceType[]): boolean =>
  one.length === other.length && one.every((type, at) => type === other[at]);
