import { BoundedCache } from '../bounded-cache.ts';
import { ownBytes } from '../own-memory.ts';
import { canonicalise } from '../schema/derive/canonical.ts';
import { applyDefaults } from '../schema/derive/defaults.ts';
import type { Draft } from '../schema/draft.ts';
import type { Version } from '../storage/version.ts';
import { parseObject } from './encoding.ts';
import { apiVersionOf } from './incoming.ts';
import type { ApiObject, ObjectType, ResourceType } from './resource-type.ts';

/**
 * Every kind is stored in one version, its hub. Other served versions convert to and from the hub and nothing else; a
 * request in the hub version never converts at all.
 */

/** The type under which objects of this type are stored. */
export const hubOf = (type: ResourceType): ResourceType => type.conversion?.hub ?? type;

/** An object as it was sent becomes one of the hub version. `stored`: what it is now. May change its first argument. */
export function toHub(type: ResourceType, object: Draft<ApiObject>, stored?: ApiObject): Draft<ApiObject> {
  const { conversion } = type;
  if (!conversion) return object;
  const converted = conversion.toHub(object, stored);
  const { value } = canonicalise(conversion.hub.schema, converted);
  value.kind = conversion.hub.kind;
  value.apiVersion = apiVersionOf(conversion.hub);
  applyDefaults(conversion.hub.schema, value);
  return value;
}

/** A stored object as this version shows it. Does not change its argument. */
export function fromHub(type: ObjectType, object: ApiObject): ApiObject {
  const { conversion } = type;
  if (!conversion) return object;
  const { value } = canonicalise(type.schema, conversion.fromHub(object));
  applyDefaults(type.schema, value);
  value.kind = type.kind;
  value.apiVersion = apiVersionOf(type);
  return canonicalise(type.schema, value).value;
}

/** Bytes of the stored version of a kind; `version` is absent when they were never stored, as after a dry run. */
export interface StoredBytes {
  readonly bytes: Buffer;
  readonly version?: Version;
}

/** Stored bytes as this version shows them. */
export const bytesIn = (type: ObjectType, stored: StoredBytes): Buffer =>
  type.conversion ? remembered(stored, apiVersionOf(type), (bytes) => convert(type, bytes)) : stored.bytes;

/** As `bytesIn`, for versions. */
export const renderingIn = (type: ObjectType, version: Version): Buffer =>
  type.conversion ? bytesIn(type, storedIn(version)) : version.bytes;

export const storedIn = (version: Version): StoredBytes => ({ bytes: version.bytes, version });

/** Other encodings of a version: there are few, so a list is searched. */
type Renderings = readonly { readonly name: string; readonly bytes: Buffer }[];

/** By the serial of their version, so that they do not keep it. */
const renderings = new BoundedCache<number, Renderings>({
  name: 'renderings',
  capacity: 32 << 20,
  sizeOf: (_, all) => all.reduce((sum, { bytes }) => sum + bytes.length + RENDERING_BYTES, 0),
});
/** What a rendering takes beside its bytes. */
const RENDERING_BYTES = 300;

/** What `make` gives for stored bytes, kept for a while under a name; made anew when they were never stored. */
export function remembered({ bytes, version }: StoredBytes, name: string, make: (bytes: Buffer) => Buffer): Buffer {
  if (!version) return make(bytes);
  const known = renderings.get(version.serial) ?? [];
  for (const rendering of known) if (rendering.name === name) return rendering.bytes;
  const made = ownBytes(make(bytes));
  renderings.set(version.serial, [...known, { name, bytes: made }]);
  return made;
}

const convert = (type: ObjectType, bytes: Buffer): Buffer =>
  Buffer.from(JSON.stringify(fromHub(type, parseObject(bytes))));
