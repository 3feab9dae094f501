import type { Catalogue } from '../registry/catalogue.ts';
import { parseObject } from '../registry/encoding.ts';
import { objectKey } from '../registry/keys.ts';
import type { ApiObject } from '../registry/resource-type.ts';
import type { Version } from '../storage/version.ts';
import type { VersionLog } from '../storage/version-log.ts';

/** What tells whether an object that a token names is still the one that was meant. */
export interface StoredIdentity {
  readonly uid: string;
  /** When it is to be gone, in milliseconds since the epoch; undefined while nobody has deleted it. */
  readonly deletesAt: number | undefined;
}

/** Objects of the core group that tokens stand for, as they are at this moment. */
export interface StoredObjects {
  identity(plural: string, namespace: string, name: string): StoredIdentity | undefined;
  read<T extends ApiObject>(plural: string, namespace: string, name: string): T | undefined;
}

/** Reads the version log. */
export function storedObjects(catalogue: Catalogue, log: VersionLog): StoredObjects {
  // Every request with a token asks, so an object is parsed once a version.
  const known = new WeakMap<Version, StoredIdentity>();
  const find = (plural: string, namespace: string, name: string): Version | undefined => {
    const type = catalogue.preferred('', plural);
    return type && log.get(objectKey(type, namespace, name));
  };
  return {
    identity(plural, namespace, name) {
      const version = find(plural, namespace, name);
      if (!version) return undefined;
      const identity = known.get(version) ?? identityIn(parseObject(version.bytes));
      known.set(version, identity);
      return identity;
    },
    read<T extends ApiObject>(plural: string, namespace: string, name: string) {
      const version = find(plural, namespace, name);
      return version && parseObject<T>(version.bytes);
    },
  };
}

function identityIn({ metadata: { uid = '', deletionTimestamp } }: ApiObject): StoredIdentity {
  return { uid, deletesAt: deletionTimestamp ? Date.parse(deletionTimestamp) : undefined };
}
