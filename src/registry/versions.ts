import { canonicalise } from '../schema/derive/canonical.ts';
import { applyDefaults } from '../schema/derive/defaults.ts';
import type { Draft } from '../schema/draft.ts';
import { apiVersionOf } from './incoming.ts';
import type { ApiObject, ObjectType, ResourceType } from './resource-type.ts';

/**
 * The built-in kinds are stored in one version each, the hub. Other served versions convert to and from the hub and
 * nothing else; a request in the hub version never converts at all. Kinds that keep objects in several versions convert
 * before anything is rendered (`Kind.prepare`), and each of their types is its own hub.
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
  return conversion ? shownAs(type, conversion.fromHub(object)) : object;
}

/** A stored object as its type has it by now: fields and defaults of the schema may be others than when it was written. */
export function readAs(type: ObjectType, stored: ApiObject): ApiObject {
  const { value } = canonicalise(type.schema, stored);
  applyDefaults(type.schema, value);
  return canonicalise(type.schema, value).value;
}

/** What a conversion gave, as an object of this version: pruned, in canonical form. Defaults are for whoever wrote it. */
export function prunedAs(type: ObjectType, converted: ApiObject): ApiObject {
  const { value } = canonicalise(type.schema, converted);
  value.kind = type.kind;
  value.apiVersion = apiVersionOf(type);
  return value;
}

/** What a conversion gave, as an object of this version: pruned, in canonical form, defaults filled in. */
export function shownAs(type: ObjectType, converted: ApiObject): ApiObject {
  const { value } = canonicalise(type.schema, converted);
  applyDefaults(type.schema, value);
  value.kind = type.kind;
  value.apiVersion = apiVersionOf(type);
  return canonicalise(type.schema, value).value;
}
