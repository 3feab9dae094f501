import type { ApiObject, Conversion, Deprecation, ResourceType } from '../registry/resource-type.ts';
import { canonicalise } from '../schema/derive/canonical.ts';
import { asValue } from '../schema/draft.ts';
import type { Struct } from '../schema/schema.ts';

/** What a version says of itself that is not the stored one. */
export interface OtherVersion<T extends ApiObject> {
  readonly version: string;
  readonly schema: Struct<T>;
  readonly conversion: Conversion<T>;
}

/** A kind in another version than the stored one. */
export const otherVersion = <T extends ApiObject>(hub: ResourceType, version: OtherVersion<T>): ResourceType => ({
  ...hub,
  ...version,
});

/** What an older version says of itself. */
export interface OlderVersion<T extends ApiObject> {
  readonly version: string;
  readonly schema: Struct<T>;
  /** Unset where it is not on its way out. */
  readonly deprecation?: Deprecation;
}

/** A version whose objects hold the same fields as those of the stored one, so that each can be read as the other. */
export function olderVersion<T extends ApiObject>(
  hub: ResourceType,
  { version, schema, deprecation }: OlderVersion<T>,
): ResourceType {
  const conversion: Conversion<T> = {
    hub,
    toHub: (object) => object,
    fromHub: (object) => asValue(canonicalise(schema, object).value),
  };
  return { ...otherVersion(hub, { version, schema, conversion }), ...(deprecation && { deprecation }) };
}
