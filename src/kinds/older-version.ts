import type { ApiObject, Deprecation, ResourceType } from '../registry/resource-type.ts';
import { canonicalise } from '../schema/derive/canonical.ts';
import type { Struct } from '../schema/schema.ts';

/** What an older version says of itself. */
export interface OlderVersion<T extends ApiObject> {
  readonly version: string;
  readonly schema: Struct<T>;
  readonly deprecation: Deprecation;
}

/** A version whose objects hold the same fields as those of the stored one, so that each can be read as the other. */
export function olderVersion<T extends ApiObject>(
  hub: ResourceType,
  { version, schema, deprecation }: OlderVersion<T>,
): ResourceType {
  return {
    ...hub,
    version,
    schema,
    deprecation,
    conversion: { hub, toHub: (object) => object, fromHub: (object) => canonicalise(schema, object).value },
  };
}
