import { AppliedDocument } from '../apply/applied-document.ts';
import { applyDocument, type View, type ViewOf } from '../apply/applying.ts';
import { sharingOf } from '../apply/derive-sharing.ts';
import { DuplicateElement } from '../apply/difference.ts';
import { MalformedFields } from '../apply/fields-v1.ts';
import type { Writer } from '../apply/owners.ts';
import { readRecord } from '../apply/record.ts';
import { badRequest } from '../errors.ts';
import { canonicalise } from '../schema/derive/canonical.ts';
import type { ApiObject, ObjectType, ResourceType } from './resource-type.ts';
import { ignoredBy } from './tracking.ts';
import type { Change } from './update.ts';
import { hubOf } from './versions.ts';
import type { WriteParts } from './write.ts';

type Document = AppliedDocument['document'];

/** Throws where a document is none of the type. What it has in common with `last` has been looked at before. */
export type CheckDocument = (document: Document, last: Document | undefined) => void;

/** What an applied document makes of whatever is there. `type` is what the document is, for a stored object of `stored`. */
export function applying(
  { servedAs }: Pick<WriteParts, 'servedAs'>,
  stored: ResourceType,
  type: ObjectType,
  applied: AppliedDocument,
  check: CheckDocument,
): Change {
  const own: View = { sharing: sharingOf(type.schema), show: (object) => object, restore: (object) => object };
  const viewOf: ViewOf = (apiVersion) => {
    if (apiVersion === applied.applier.apiVersion) return own;
    const other = servedAs(hubOf(stored), apiVersion);
    return other && viewThrough(stored, other);
  };
  return (current, before) => {
    const last = before?.applied(applied.applier);
    applied.recall(last);
    check(applied.document, last?.document);
    return refusingRepeats(() => (current ? applyTo(current, applied, viewOf) : applied.byItself()));
  };
}

/** A document that is applied through an endpoint of a stored kind, where it is a `type`. `bytes`: how long it was. */
export const appliedDocument = (
  stored: ResourceType,
  type: ObjectType,
  applier: Writer,
  document: Document,
  bytes: number,
): AppliedDocument =>
  new AppliedDocument(applier, document, sharingOf(type.schema), ignoredBy(stored, applier.subresource), bytes);

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
    return applyDocument({ ...current }, applied, readRecord(current.metadata.managedFields), viewOf);
  } catch (error) {
    if (error instanceof MalformedFields) return applyDocument({ ...current }, applied, [], viewOf);
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
