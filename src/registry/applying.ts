import { AppliedFields } from '../apply/applied-fields.ts';
import { type AppliedDocument, applyDocument, type View, type ViewOf } from '../apply/applying.ts';
import { sharingOf } from '../apply/derive-sharing.ts';
import { DuplicateElement } from '../apply/difference.ts';
import { MalformedFields } from '../apply/fields-v1.ts';
import { readRecord } from '../apply/record.ts';
import { badRequest } from '../errors.ts';
import { canonicalise } from '../schema/derive/canonical.ts';
import type { ApiObject, ObjectType, ResourceType } from './resource-type.ts';
import { ignoredBy } from './tracking.ts';
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
  return (current) =>
    refusingRepeats(() => {
      if (current) return applyTo(current, applied, viewOf);
      applied.fields.check();
      return applied.document;
    });
}

/** The places that a document fills in which is applied through an endpoint of a stored kind, where it is a `type`. */
export const appliedFields = (
  stored: ResourceType,
  subresource: string,
  type: ObjectType,
  document: unknown,
): AppliedFields => new AppliedFields(sharingOf(type.schema), document, ignoredBy(stored, subresource));

function refusingRepeats<T>(apply: () => T): T {
  try {
    return apply();
  } catch (error) {
    if (error instanceof DuplicateElement) throw badRequest(`the applied document has ${error.message}`);
    throw error;
  }
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
