import type { AnyObject } from '../../../../client/plane-client.ts';
import type { Target } from '../../../../client/served-kind.ts';
import type { ManagedFieldsEntry } from '../../../../meta/object-meta.ts';
import { isObject, type JsonObject, setOwn } from '../../../../schema/json-object.ts';
import type { Vocabulary } from '../../../../vocabulary/vocabulary.ts';
import { lastApplied } from '../../manifests/last-applied.ts';
import type { ObjectWrites } from '../../resources/object-writes.ts';

/** Who wrote objects that were merged by a client, with this program and with the other. */
const CLIENT_SIDE: ReadonlySet<string> = new Set(['platformctl-client-side-apply', 'kubectl-client-side-apply']);

export const isClientSideManager = (manager: string): boolean => CLIENT_SIDE.has(manager);

const isClientSideEntry = ({ manager, operation, subresource }: ManagedFieldsEntry): boolean =>
  isClientSideManager(manager ?? '') && operation === 'Update' && !subresource;

/** Whether an object was merged by a client before, so that its fields are still recorded as changed by hand. */
export const wasClientSide = (object: AnyObject, vocabulary: Vocabulary): boolean =>
  lastApplied(object, vocabulary) !== undefined && (object.metadata.managedFields ?? []).some(isClientSideEntry);

/**
 * Records the fields that a client wrote as applied by `manager`. Without it they would stay for ever when they are in no
 * file any more: what was changed by hand is nobody's to remove.
 */
export async function migrate(writes: ObjectWrites, target: Target, object: AnyObject, manager: string): Promise<void> {
  const entries = object.metadata.managedFields ?? [];
  const managedFields = migratedEntries(entries, manager);
  const version = object.metadata.resourceVersion;
  await writes.patch(target, 'json', [
    { op: 'replace', path: '/metadata/managedFields', value: managedFields },
    { op: 'replace', path: '/metadata/resourceVersion', value: version },
  ]);
}

export function migratedEntries(entries: readonly ManagedFieldsEntry[], manager: string): ManagedFieldsEntry[] {
  const isApplied = (entry: ManagedFieldsEntry): boolean =>
    entry.manager === manager && entry.operation === 'Apply' && !entry.subresource;
  const taken = entries.filter(isClientSideEntry);
  const applied = entries.find(isApplied) ?? { ...taken[0], manager, operation: 'Apply' };
  const fields = [applied, ...taken].reduce<JsonObject>((sum, { fieldsV1 }) => union(sum, fieldsV1), {});
  const others = entries.filter((entry) => !isClientSideEntry(entry) && !isApplied(entry));
  return [...others, { ...applied, fieldsV1: fields } as ManagedFieldsEntry];
}

/** The fields that are in one or the other. */
function union(one: JsonObject, other: unknown): JsonObject {
  const sum: JsonObject = { ...one };
  for (const [key, value] of Object.entries(isObject(other) ? other : {})) {
    const known = Object.hasOwn(sum, key) ? sum[key] : undefined;
    setOwn(sum, key, isObject(known) ? union(known, value) : value);
  }
  return sum;
}
