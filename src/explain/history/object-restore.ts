import { alreadyExists, badRequest, verbNotSupported } from '../../api/errors.ts';
import type { Action, ActionCall } from '../../handlers/actions/action.ts';
import { ObjectRestore, type ObjectRestoreStatus } from '../../kinds/explain/object-restore.ts';
import type { ObjectMeta, OwnerReference } from '../../meta/object-meta.ts';
import type { ApiObject } from '../../registry/resource-type.ts';
import type { WriteOptions, Written } from '../../registry/write.ts';
import { restEveryTurn } from '../../runtime/pacing.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import type { Version } from '../../storage/log/version.ts';
import { type AskedObject, askedObject, demandAccess } from '../asked-object.ts';
import { namedRevision, type PastState, stateOf, unknownObject, versionAsOf } from './past-states.ts';
import { type QuestionSources, question } from './question.ts';

/** Under which the fields are owned that a restored state brings back. */
const FIELD_MANAGER = 'restore';

/**
 * Writes an old state as the new one, by the same door as every write and as whoever asks: it takes the right to get the
 * object, and to update it or to create one.
 */
export const objectRestore = ({ group, authorizer }: QuestionSources): Action<ObjectRestore> =>
  question(group, 'ObjectRestore', 'objectrestores', ObjectRestore, async (call) => {
    const { object, objects } = call;
    refuseAmbiguous(object);
    const asked = await askedObject(authorizer, call, object.spec.object);
    const exists = objects.find(asked.type, asked.namespace, asked.name) !== undefined;
    const verb = exists ? 'update' : 'create';
    const { type } = asked;
    if (!type.verbs.includes(verb)) throw verbNotSupported({ group: type.group, resource: type.plural }, verb);
    await demandAccess(authorizer, call.options.user, verb, asked);
    const state = await stateOf(objects, asked, await wantedVersion(call, asked, exists));
    const options = { ...call.options, fieldManager: FIELD_MANAGER, verb };
    const status = exists ? await writeOver(call, asked, state, options) : await makeAnew(call, asked, state, options);
    return { status: 201, body: canonicalise(ObjectRestore, { ...object, status }).value };
  });

function refuseAmbiguous({ spec: { revision, deleted } }: ObjectRestore): void {
  if (!revision === !deleted) throw badRequest('either spec.revision or spec.deleted is required');
}

/** A deletion holds the last state before it; at any later revision there is nothing. */
async function wantedVersion(
  { objects, object: { spec }, context }: ActionCall<ObjectRestore>,
  asked: AskedObject,
  exists: boolean,
): Promise<Version> {
  const { type, namespace, name } = asked;
  if (!spec.revision) {
    if (exists) throw alreadyExists({ group: type.group, resource: type.plural }, name);
    const newest = objects.newest(type, namespace, name);
    if (!newest) throw unknownObject(asked);
    return newest;
  }
  const revision = await namedRevision(objects, 'spec.revision', spec.revision);
  const version = await versionAsOf(objects, asked, revision, restEveryTurn(context.runtime));
  if (!version || (version.deleted && version.revision !== revision)) throw unknownObject(asked);
  return version;
}

async function writeOver(
  { registry }: ActionCall,
  { type, namespace, name }: AskedObject,
  state: PastState,
  options: WriteOptions,
): Promise<ObjectRestoreStatus> {
  let before: string | undefined;
  const written = await registry.update(
    { type, namespace, name, subresource: '' },
    (current) => {
      before = current?.metadata.resourceVersion;
      return current && restoredOver(current, state.object);
    },
    { ...options, patched: true },
  );
  return statusOf(state, written, options, String(written.version?.revision ?? '') !== before);
}

/** Everything that the old state says and its writers could say again. What is known of the object since stays. */
function restoredOver(current: ApiObject & { status?: unknown }, old: ApiObject & { status?: unknown }): object {
  const { status: _old, metadata, ...rest } = old;
  const { labels: _labels, annotations: _annotations, ...own } = current.metadata;
  return {
    ...rest,
    metadata: { ...own, ...saidIn(metadata) },
    ...(current.status !== undefined && { status: current.status }),
  };
}

async function makeAnew(
  call: ActionCall,
  asked: AskedObject,
  state: PastState,
  options: WriteOptions,
): Promise<ObjectRestoreStatus> {
  const { type, namespace, name } = asked;
  const { status: _status, metadata, ...rest }: ApiObject & { status?: unknown } = state.object;
  const ownerReferences = metadata.ownerReferences?.filter((owner) => isThere(call, asked, owner));
  const place = type.namespaced ? { name, namespace } : { name };
  const document = {
    ...rest,
    metadata: { ...place, ...saidIn(metadata), ...(ownerReferences?.length && { ownerReferences }) },
  };
  const written = await call.registry.create(type, namespace, document, options);
  return statusOf(state, written, options, true);
}

const saidIn = ({ labels, annotations }: ObjectMeta): Pick<ObjectMeta, 'labels' | 'annotations'> => ({
  ...(labels && { labels }),
  ...(annotations && { annotations }),
});

/** A dependent of an owner that is gone would go at once. */
function isThere(
  { catalogue, objects }: ActionCall,
  { namespace }: AskedObject,
  { apiVersion, kind, name, uid }: OwnerReference,
): boolean {
  const [type] = catalogue.named(apiVersion, kind);
  return type !== undefined && objects.get(type, type.namespaced ? namespace : '', name)?.metadata.uid === uid;
}

const statusOf = (
  { version }: PastState,
  written: Written,
  { dryRun = false }: WriteOptions,
  changed: boolean,
): ObjectRestoreStatus => ({
  restoredRevision: String(version.revision),
  resourceVersion: written.version ? String(written.version.revision) : '',
  uid: written.object.metadata.uid ?? '',
  created: written.created ?? false,
  changed,
  dryRun,
});
