import { badRequest, conflict, invalid, MODIFIED_MEANWHILE } from '../../api/errors.ts';
import { ownText } from '../../bounds/own-memory.ts';
import type { Draft } from '../../schema/draft.ts';
import { isObject, type JsonObject, withMetadata } from '../../schema/json-object.ts';
import { Problems } from '../../schema/problems.ts';
import { readObject } from '../incoming.ts';
import { dropRepeatedOwners } from '../owner-references.ts';
import type { ApiObject, ResourceType } from '../resource-type.ts';
import { fromHub, toHub } from '../versions.ts';
import { type ObjectRef, silent, type Write } from '../write.ts';

/** What was sent becomes an object of the kind: typed, pruned, with defaults, of the stored version. */
export function readDraft(write: Write): void {
  const { parts, ref, type, live, options } = write;
  const { onRead, patched, patchText, adopts } = options;
  const shown = live && fromHub(ref.type, live.object);
  const sent = readObject(ref.type, shown ? withoutRecord(write.document, shown) : write.document, {
    onRead,
    patched,
    patchText,
    before: shown,
    adopts: adopts && isReadOnce(write),
  });
  if (live) demandName(sent, ref.name);
  demandNamespace(ref.type, sent, ref.namespace);
  write.sentRecord = shown && isRecordOf(write.document, shown) ? undefined : sent.metadata.managedFields;
  const draft = toHub(ref.type, sent, live?.object);
  if (live) write.isConditional = checkVersion(write, draft, live.object);
  else if (draft.metadata.resourceVersion && !options.dryRun)
    throw badRequest('resourceVersion should not be set on objects to be created');
  dropRepeatedOwners(draft, options.warn ?? silent);
  type.complete?.(draft, parts);
  write.isNamedHere = !draft.metadata.name && Boolean(draft.metadata.generateName);
  write.draft = draft;
}

/** Neither another name nor another supply can be tried with the document. */
const isReadOnce = ({ live, type, document }: Write): boolean =>
  !live && !type.reserve && isObject(document) && isObject(document.metadata) && Boolean(document.metadata.name);

/** A change that leaves the record of owners alone has the very record of the live object in it, which is large. */
const isRecordOf = (document: unknown, { metadata }: ApiObject): boolean =>
  isObject(document) && isObject(document.metadata) && document.metadata.managedFields === metadata.managedFields;

function withoutRecord(document: unknown, live: ApiObject): unknown {
  if (!live.metadata.managedFields || !isRecordOf(document, live) || !isObject(document)) return document;
  const metadata: JsonObject = isObject(document.metadata) ? { ...document.metadata } : {};
  metadata.managedFields = undefined;
  return withMetadata(document, metadata);
}

/** The path says the name; a body must repeat it. */
export function demandName({ metadata }: ApiObject, name: string): void {
  if (!metadata.name)
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  }
}

/** The path says the namespace; a body may repeat it but not contradict it. */
export function demandNamespace(type: ResourceType, { metadata }: Draft<ApiObject>, namespace: string): void {
  if (!type.namespaced) {
    if (metadata.namespace)
      throw badRequest('the namespace of the provided object does not match the request: there is none');
    return;
  }
  metadata.namespace ||= ownText(namespace);
  if (metadata.namespace !== namespace) {
    throw badRequest(
      `the namespace of the provided object does not match the namespace sent on the request (${metadata.namespace}, ${namespace})`,
    );
  }
}

export const uidDiffers = ({ type, name }: ObjectRef, wanted: string, real: string) =>
  conflict(
    { group: type.group, resource: type.plural },
    name,
    `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${real}`,
  );

/** True when the client named the version it wants to replace. A patched object carries the version it was made from. */
function checkVersion({ ref, options }: Write, { metadata }: ApiObject, live: ApiObject): boolean {
  const { type, name } = ref;
  const { resourceVersion = '', uid } = metadata;
  if (!options.patched && uid && uid !== live.metadata.uid) throw uidDiffers(ref, uid, live.metadata.uid ?? '');
  if (resourceVersion === '' || resourceVersion === '0') {
    // Who writes part of an object under another kind means whatever version there is.
    if (type.strategy.unconditionalUpdate || type.subresources[ref.subresource]?.projection) return false;
    const problems = new Problems();
    problems.add(
      'metadata.resourceVersion',
      'FieldValueInvalid',
      'Invalid value: 0x0: must be specified for an update',
    );
    throw invalid(type.group, type.plural, name, problems.found);
  }
  if (!/^\d+$/.test(resourceVersion)) {
    const problems = new Problems();
    problems.invalid(
      'metadata.resourceVersion',
      resourceVersion,
      'must be a resource version the server has given out',
    );
    throw invalid(type.group, type.kind, name, problems.found);
  }
  if (resourceVersion !== live.metadata.resourceVersion) {
    throw conflict({ group: type.group, resource: type.plural }, name, MODIFIED_MEANWHILE);
  }
  return !options.patched;
}
