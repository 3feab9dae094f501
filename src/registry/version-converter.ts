import { internalBecause } from '../api/errors.ts';
import { BoundedCache } from '../bounds/bounded-cache.ts';
import { type Rest, restEveryTurn } from '../runtime/pacing.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { Version } from '../storage/log/version.ts';
import { parseObject } from './encoding.ts';
import { Facets, facetsIn } from './facets.ts';
import type { ApiObject, ResourceType } from './resource-type.ts';
import { storedApiVersion } from './stored-api-version.ts';
import { prunedAs, readAs } from './versions.ts';

/** Converts objects of one kind between its versions, many at once, such as by asking a webhook. */
export interface BatchConversion {
  /** The objects, which it must not change, in another version and in the same order. */
  convert(
    objects: readonly ApiObject[],
    from: ResourceType,
    to: ResourceType,
  ): readonly ApiObject[] | Promise<readonly ApiObject[]>;
  /** Where what was converted is kept. All kinds of a server share one. */
  readonly cache: ConvertedVersions;
  /** Lets others have a turn while many objects are looked at. */
  readonly runtime: Runtime;
}

interface Converted {
  readonly type: ResourceType;
  readonly version: Version;
}

/** By the serial of the stored version: what it is in other versions of its kind. There are few, so a list is searched. */
export type ConvertedVersions = BoundedCache<number, readonly Converted[]>;

/** What a converted version takes beside its bytes. */
const CONVERTED_BYTES = 400;

export const convertedVersions = (): ConvertedVersions =>
  new BoundedCache({
    name: 'converted-versions',
    capacity: 32 << 20,
    sizeOf: (_, all) => all.reduce((sum, { version }) => sum + version.size + CONVERTED_BYTES, 0),
  });

/** What is converted with one call. */
const BATCH_OBJECTS = 500;
const BATCH_BYTES = 4 << 20;

/**
 * Brings stored versions of one kind into the form that a type shows: read by the schema of the version they are stored in,
 * which may be another than when they were written, and converted. What several readers want at the same moment is
 * converted once.
 */
export class VersionConverter {
  readonly #conversion: BatchConversion;
  readonly #typeIn: (apiVersion: string) => ResourceType | undefined;
  /** By type and the serial of the stored version. */
  readonly #underway = new Map<ResourceType, Map<number, Promise<Version>>>();

  constructor(conversion: BatchConversion, typeIn: (apiVersion: string) => ResourceType | undefined) {
    this.#conversion = conversion;
    this.#typeIn = typeIn;
  }

  /** Undefined when all of them are known to be in the form of `to`. */
  prepare(versions: readonly Version[], to: ResourceType): Promise<readonly Version[]> | undefined {
    return versions.every((version) => isSettled(version, to)) ? undefined : this.#prepared(versions, to);
  }

  /** An object of one version in another. */
  convert(object: ApiObject, from: ResourceType, to: ResourceType): ApiObject | Promise<ApiObject> {
    if (from === to) return object;
    const converted = this.#conversion.convert([object], from, to);
    const take = ([one]: readonly ApiObject[]): ApiObject => prunedAs(to, one ?? lost());
    return converted instanceof Promise ? converted.then(take) : take(converted);
  }

  async #prepared(versions: readonly Version[], to: ResourceType): Promise<readonly Version[]> {
    const rest = restEveryTurn(this.#conversion.runtime);
    const settled = new Map<Version, Version>();
    for (const version of versions) {
      if (isSettled(version, to) || this.#originOf(version) !== to) continue;
      settled.set(version, this.#settled(version, to));
      const pause = rest();
      if (pause) await pause;
    }
    // In one go from here on: whoever wants the same must find it under way.
    const missing = new Map<ResourceType, Version[]>();
    const known = versions.map((version) => {
      const found = settled.get(version) ?? this.#known(version, to);
      if (!found) noteUnder(missing, this.#originOf(version), version);
      return found;
    });
    for (const [from, some] of missing) this.#begin(some, from, to, rest);
    return Promise.all(versions.map((version, index) => known[index] ?? this.#known(version, to) ?? lost()));
  }

  /** The type that the bytes are of. Throws when the kind has it no more. */
  #originOf({ bytes }: Version): ResourceType {
    const apiVersion = storedApiVersion(bytes);
    const type = this.#typeIn(apiVersion);
    if (!type) throw internalBecause(`an object is stored in version ${apiVersion}, which its kind no longer has`);
    return type;
  }

  /** What was converted before, or is just being converted. */
  #known(version: Version, to: ResourceType): Version | Promise<Version> | undefined {
    if (isSettled(version, to)) return version;
    const underway = this.#underway.get(to)?.get(version.serial);
    return underway ?? this.#conversion.cache.get(version.serial)?.find(({ type }) => type === to)?.version;
  }

  /** A version that is stored as `type`, as its schema is now: mostly the very same. */
  #settled(version: Version, type: ResourceType): Version {
    const kept = this.#conversion.cache.get(version.serial)?.find((one) => one.type === type);
    if (kept) return kept.version;
    const object = readAs(type, parseObject(version.bytes));
    const bytes = Buffer.from(JSON.stringify(object));
    if (!bytes.equals(version.bytes)) return this.#keep(version, type, object, bytes);
    version.facets = facetsIn(type, object);
    return version;
  }

  #keep(stored: Version, type: ResourceType, object: ApiObject, bytes: Buffer): Version {
    const { cache } = this.#conversion;
    const { revision, key, deleted, time } = stored;
    // What was before it is not needed for showing it, and not held.
    const version = new Version({ revision, key, bytes, deleted, time, facets: facetsIn(type, object) }, undefined);
    cache.set(stored.serial, [...(cache.get(stored.serial) ?? []), { type, version }]);
    return version;
  }

  /** Converts in batches, one after the other; each version is under way until its own batch is through. */
  #begin(versions: readonly Version[], from: ResourceType, to: ResourceType, rest: Rest): void {
    const underway = this.#underway.get(to) ?? new Map<number, Promise<Version>>();
    this.#underway.set(to, underway);
    let before: Promise<unknown> = Promise.resolve();
    for (const batch of batches(versions)) {
      const converting = before.then(() => this.#convert(batch, from, to, rest));
      before = converting;
      for (const [index, version] of batch.entries()) {
        const one = converting.then((all) => all[index] ?? lost());
        const over = (): void => this.#end(version, to);
        one.then(over, over);
        underway.set(version.serial, one);
      }
    }
  }

  #end({ serial }: Version, to: ResourceType): void {
    const underway = this.#underway.get(to);
    underway?.delete(serial);
    if (underway?.size === 0) this.#underway.delete(to);
  }

  async #convert(versions: readonly Version[], from: ResourceType, to: ResourceType, rest: Rest): Promise<Version[]> {
    const objects: ApiObject[] = [];
    for (const { bytes } of versions) {
      objects.push(readAs(from, parseObject(bytes)));
      const pause = rest();
      if (pause) await pause;
    }
    const converted = await this.#conversion.convert(objects, from, to);
    if (converted.length !== versions.length) lost();
    const shown: Version[] = [];
    for (const [index, stored] of versions.entries()) {
      const object = prunedAs(to, converted[index] ?? lost());
      shown.push(this.#keep(stored, to, object, Buffer.from(JSON.stringify(object))));
      const pause = rest();
      if (pause) await pause;
    }
    return shown;
  }
}

/** Whether the bytes of a version are known to be what the type shows. */
const isSettled = ({ facets }: Version, type: ResourceType): boolean => facets instanceof Facets && facets.isOf(type);

function noteUnder<K, V>(groups: Map<K, V[]>, key: K, value: V): void {
  const group = groups.get(key);
  if (group) group.push(value);
  else groups.set(key, [value]);
}

function* batches(versions: readonly Version[]): Generator<Version[]> {
  let batch: Version[] = [];
  let bytes = 0;
  for (const version of versions) {
    if (batch.length === BATCH_OBJECTS || (batch.length > 0 && bytes + version.size > BATCH_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(version);
    bytes += version.size;
  }
  if (batch.length > 0) yield batch;
}

function lost(): never {
  throw internalBecause('a conversion has lost objects');
}
