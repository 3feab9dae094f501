import { BoundedCache } from '../bounded-cache.ts';
import type { Version } from '../storage/version.ts';
import type { VersionLog } from '../storage/version-log.ts';
import type { Catalogue } from './catalogue.ts';
import { parseObject } from './encoding.ts';
import { objectKey } from './keys.ts';
import type { ApiObject, ResourceType } from './resource-type.ts';

/** A resource in whatever version is stored. */
export interface Resource {
  readonly group: string;
  readonly plural: string;
}

/** What the smallest object takes, and how much more room others take than their bytes, with the bytes. */
const LEAST_BYTES = 1024;
const PARSED_FACTOR = 5;

/**
 * Stored objects as parts of the server see them: in the stored version, as they are at this moment, parsed once a
 * version while it is used. What it gives is shared by all who ask: nobody may change it.
 */
export class Lister {
  private readonly log: VersionLog;
  private readonly catalogue: Catalogue;
  private readonly parsed = new BoundedCache<Version, ApiObject>({
    name: 'parsed-objects',
    capacity: 32 << 20,
    sizeOf: ({ bytes }) => LEAST_BYTES + PARSED_FACTOR * bytes.length,
  });

  constructor(log: VersionLog, catalogue: Catalogue) {
    this.log = log;
    this.catalogue = catalogue;
  }

  /** `namespace`: '' for objects that have none. */
  get<T extends ApiObject>(resource: Resource, namespace: string, name: string): T | undefined {
    const version = this.log.get(objectKey(this.typeOf(resource), namespace, name));
    return version && this.read<T>(version);
  }

  /** In key order; of all namespaces when none is given. */
  list<T extends ApiObject>(resource: Resource, namespace = ''): T[] {
    const { collection } = this.typeOf(resource);
    const versions =
      namespace === '' ? this.log.list(collection) : this.log.list(collection, { prefix: `${namespace}/` });
    return versions.map((version) => this.read<T>(version));
  }

  /** The object of a version of the log. */
  read<T extends ApiObject>(version: Version): T {
    const known = this.parsed.get(version);
    // One collection holds one kind: what was parsed for it is what is asked for.
    if (known) return known as T;
    const object = parseObject<T>(version.bytes);
    this.parsed.set(version, object);
    return object;
  }

  private typeOf({ group, plural }: Resource): ResourceType {
    const type = this.catalogue.preferred(group, plural);
    if (!type) throw new Error(`there is no resource ${plural} in the group "${group}"`);
    return type;
  }
}
