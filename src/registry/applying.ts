import { type AppliedDocument, applyDocument, type View, type ViewOf } from '../apply/applying.ts';
import { sharingOf } from '../apply/derive-sharing.ts';
import { MalformedFields } from '../apply/fields-v1.ts';
import { readRecord } from '../apply/record.ts';
import { canonicalise } from '../schema/derive/canonical.ts';
import type { ApiObject, ObjectType, ResourceType } from './resource-type.ts';
import type { Change } from './update.ts';
import { hubOf } from './versions.ts';
import type { WriteParts } from './write.ts';

/** What an applied document makes of whatever is there. `type` is what the document is, for a stored object of `stored`. */
export function applying(
  { servedAs }: Pick<WriteParts, 'servedAs'>,
  stored: ResourceType,
  type: ObjectType,
  applied: AppliedDocument,
): Change {
  const own: View = { sharing: sharingOf(type.schema), show: (object) => object, restore: (object) => object };
  const viewOf: ViewOf = (apiVersion) => {
    if (apiVersion === applied.applier.apiVersion) return own;
    const other = servedAs(hubOf(stored), apiVersion);
    return other && viewThrough(stored, other);
  };
  return (current) => (current ? applyTo(current, applied, viewOf) : applied.document);
}

function applyTo(current: ApiObject, applied: AppliedDocument, viewOf: ViewOf): unknown {
  try {
    return applyDocument(current, applied, readRecord(current.metadata.managedFields), viewOf);
  } catch (error) {
    if (error instanceof MalformedFields) return applyDocument(current, applied, [], viewOf);
    throw error;
  }
}

/** Objects of one version of a kind as another version shows them. */
const viewThrough = (from: ResourceType, to: ResourceType): View => ({
  sharing: sharingOf(to.schema),
  show: (object) => converted(from, to, object),
  restore: (object) => converted(to, from, object),
});

/** Without defaults: what was taken out of an object is to stay out. */
const converted = (from: ResourceType, to: ResourceType, object: unknown): ApiObject => {
  const { value } = canonicalise(from.schema, object ?? {});
  const stored = from.conversion ? canonicalise(from.conversion.hub.schema, from.conversion.toHub(value)).value : value;
  return to.conversion ? canonicalise(to.schema, to.conversion.fromHub(stored)).value : stored;
};
