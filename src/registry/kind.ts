import type { Version } from '../storage/log/version.ts';
import { apiVersionOf } from './incoming.ts';
import { type ApiObject, isStored, type ResourceType } from './resource-type.ts';
import { type BatchConversion, VersionConverter } from './version-converter.ts';
import { hubOf } from './versions.ts';

/** What a kind is made of. */
export interface KindSpec {
  /** Every version that objects of the kind can be stored or shown in. All have one collection. */
  readonly versions: readonly ResourceType[];
  /** The version in which objects are stored from now on. */
  readonly storage: ResourceType;
  /** Which of the versions clients can ask for; all of them unless given. */
  isServed?(type: ResourceType): boolean;
  /**
   * For kinds whose objects stay stored in the version they were written in. Without it every object is stored in the
   * `storage` version, and the types of the other versions convert by themselves.
   */
  readonly conversion?: BatchConversion;
  /** Why no object can be made any more, where that is so. */
  readonly refusesCreate?: string | undefined;
}

/**
 * A kind of objects with all of its versions: what the catalogue holds. It is one immutable value. A kind that changes is
 * replaced by another one, with other types, so that whatever was kept under the old types is never found again.
 */
export class Kind {
  /** Group and plural of the storage version, by which the catalogue tells kinds apart. */
  readonly group: string;
  readonly plural: string;
  readonly storage: ResourceType;
  readonly versions: readonly ResourceType[];
  readonly served: readonly ResourceType[];
  readonly refusesCreate: string | undefined;
  readonly #byApiVersion: ReadonlyMap<string, ResourceType>;
  readonly #converter: VersionConverter | undefined;

  constructor({ versions, storage, isServed = () => true, conversion, refusesCreate }: KindSpec) {
    for (const { collection } of versions) {
      if (collection !== storage.collection) throw new Error(`${storage.kind} is stored in more than one place`);
    }
    if (!versions.includes(storage)) throw new Error(`${storage.kind} lacks the version it is stored in`);
    this.group = storage.group;
    this.plural = storage.plural;
    this.storage = storage;
    this.versions = versions;
    this.served = versions.filter(isServed);
    this.refusesCreate = refusesCreate;
    this.#byApiVersion = new Map(versions.map((type) => [apiVersionOf(type), type]));
    this.#converter = conversion && new VersionConverter(conversion, (apiVersion) => this.in(apiVersion));
  }

  /** Where its objects are. Undefined: they are made when asked for, and stored nowhere. */
  get collection(): string | undefined {
    return isStored(this.storage) ? this.storage.collection : undefined;
  }

  /** The type of a version, such as `apps/v1`, served or not. */
  in(apiVersion: string): ResourceType | undefined {
    return this.#byApiVersion.get(apiVersion);
  }

  /** Whether versions have to be prepared before they are rendered. */
  get converts(): boolean {
    return this.#converter !== undefined;
  }

  /** Whether objects that are stored in this version can be read. */
  reads(apiVersion: string): boolean {
    return this.#converter ? this.#byApiVersion.has(apiVersion) : apiVersion === apiVersionOf(this.storage);
  }

  /** An object of one version in another. Only of kinds that convert. */
  convert(object: ApiObject, from: ResourceType, to: ResourceType): ApiObject | Promise<ApiObject> {
    return this.#converter ? this.#converter.convert(object, from, to) : object;
  }

  /**
   * Stored versions in the form from which `type` can be rendered synchronously, in the same order. Undefined, and at
   * once, when they are in that form already, as those of built-in kinds always are. Rejects when one of them cannot be
   * converted.
   */
  prepare(versions: readonly Version[], type: ResourceType): Promise<readonly Version[]> | undefined {
    return this.#converter?.prepare(versions, type);
  }
}

/** The kinds of types that convert by themselves. A version that is stored and not among the types is not served. */
export function kindsOf(
  types: readonly ResourceType[],
  isServed: (type: ResourceType) => boolean = () => true,
): Kind[] {
  const versionsOf = new Map<ResourceType, ResourceType[]>();
  for (const type of types) {
    const storage = hubOf(type);
    versionsOf.set(storage, [...(versionsOf.get(storage) ?? []), type]);
  }
  return [...versionsOf].map(([storage, versions]) => {
    const isMissing = !versions.includes(storage);
    return new Kind({
      storage,
      versions: isMissing ? [...versions, storage] : versions,
      isServed: (type) => !(isMissing && type === storage) && isServed(type),
    });
  });
}
