import { internalBecause } from '../api/errors.ts';
import { BoundedCache } from '../bounds/bounded-cache.ts';
import { Version } from '../storage/log/version.ts';
import { parseObject } from './encoding.ts';
import { apiVersionOf } from './incoming.ts';
import type { ApiObject, ResourceType } from './resource-type.ts';
import { storedApiVersion } from './stored-api-version.ts';
import { shownAs } from './versions.ts';

/** Converts objects of one kind between its versions, many at once, such as by asking a webhook. */
export interface BatchConversion {
  /** The objects, which it must not change, in another version and in the same order. */
  convert(objects: readonly ApiObject[], from: ResourceType, to: ResourceType): Promise<readonly ApiObject[]>;
  /** Where what was converted is kept. All kinds of a server share one. */
  readonly cache: ConvertedVersions;
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

/** Converts stored versions of one kind. What several readers want at the same moment is converted once. */
export class VersionConverter {
  readonly #conversion: BatchConversion;
  readonly #typeIn: (apiVersion: string) => ResourceType | undefined;
  /** By type and the serial of the stored version. */
  readonly #underway = new Map<ResourceType, Map<number, Promise<Version>>>();

  constructor(conversion: BatchConversion, typeIn: (apiVersion: string) => ResourceType | undefined) {
    this.#conversion = conversion;
    this.#typeIn = typeIn;
  }

  /** Undefined when all of them are stored in the version of `to`. */
  prepare(versions: readonly Version[], to: ResourceType): Promise<readonly Version[]> | undefined {
    const apiVersion = apiVersionOf(to);
    const isReady = versions.every(({ bytes }) => storedApiVersion(bytes) === apiVersion);
    return isReady ? undefined : this.#prepared(versions, to);
  }

  async #prepared(versions: readonly Version[], to: ResourceType): Promise<readonly Version[]> {
    const missing = new Map<ResourceType, Version[]>();
    const known = versions.map((version) => {
      const from = this.#originOf(version);
      const found = from === to ? version : this.#known(version, to);
      if (!found) noteUnder(missing, from, version);
      return found;
    });
    for (const [from, some] of missing) this.#begin(some, from, to);
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
  #known({ serial }: Version, to: ResourceType): Version | Promise<Version> | undefined {
    const underway = this.#underway.get(to)?.get(serial);
    return underway ?? this.#conversion.cache.get(serial)?.find(({ type }) => type === to)?.version;
  }

  /** Converts in batches, one after the other; each version is under way until its own batch is through. */
  #begin(versions: readonly Version[], from: ResourceType, to: ResourceType): void {
    const underway = this.#underway.get(to) ?? new Map<number, Promise<Version>>();
    this.#underway.set(to, underway);
    let before: Promise<unknown> = Promise.resolve();
    for (const batch of batches(versions)) {
      const converting = before.then(() => this.#convert(batch, from, to));
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

  async #convert(versions: readonly Version[], from: ResourceType, to: ResourceType): Promise<Version[]> {
    const { cache } = this.#conversion;
    const objects = versions.map(({ bytes }) => parseObject(bytes));
    const converted = await this.#conversion.convert(objects, from, to);
    if (converted.length !== versions.length) lost();
    return versions.map((stored, index) => {
      const object = converted[index] ?? lost();
      const version = inOtherBytes(stored, Buffer.from(JSON.stringify(shownAs(to, object))));
      cache.set(stored.serial, [...(cache.get(stored.serial) ?? []), { type: to, version }]);
      return version;
    });
  }
}

/** The same version of the same object. What was before it is not needed for showing it, and not held. */
const inOtherBytes = ({ revision, key, deleted, time, facets }: Version, bytes: Buffer): Version =>
  new Version({ revision, key, bytes, deleted, time, facets }, undefined);

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
