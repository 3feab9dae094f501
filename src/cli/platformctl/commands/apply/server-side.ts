import { type AnyObject, isRefusal } from '../../../../client/plane-client.ts';
import type { Target } from '../../../../client/served-kind.ts';
import { CommandError } from '../../frame/failure.ts';
import type { Session } from '../../frame/session.ts';
import { type DryRun, outcomeWord } from '../../frame/write-flags.ts';
import type { ManifestObject } from '../../manifests/read-manifests.ts';
import type { Written } from '../../resources/each-written.ts';
import type { ObjectWrites } from '../../resources/object-writes.ts';
import type { SelectedObject } from '../../resources/selection.ts';
import { objectName } from '../../resources/served-resources.ts';

interface ServerSideFlags {
  readonly dryRun: DryRun;
  readonly forceConflicts: boolean;
  readonly subresource: string | undefined;
  readonly fieldManager: string | undefined;
}

/** Who manages what the plane merges, unless a line says otherwise. */
export const SERVER_SIDE_MANAGER = 'platformctl';

/** Has the plane merge a document. Fields that others manage are told one by one. */
export async function serverSideApply(
  session: Session,
  writes: ObjectWrites,
  { resource: kind, namespace, name }: SelectedObject,
  document: ManifestObject,
  { dryRun, forceConflicts, subresource = '', fieldManager: manager = SERVER_SIDE_MANAGER }: ServerSideFlags,
): Promise<Written> {
  const { managedFields: _, ...metadata } = document.metadata;
  if (metadata.generateName)
    throw new CommandError(`from ${metadata.generateName}: cannot use generate name with apply`);
  const target = { kind, namespace, name, subresource };
  const send = (): Promise<AnyObject> => writes.apply(target, { ...document, metadata }, forceConflicts);
  const done = outcomeWord('serverside-applied', dryRun);
  try {
    const object = await send();
    const mayMigrate = dryRun === 'none' && subresource === '';
    return { object: mayMigrate ? await migrated(session, writes, target, object, manager, send) : object, done };
  } catch (error) {
    if (!isRefusal(error, 'Conflict') || !error.details?.causes?.length) throw error;
    const { conflictStory, isOwnConflict } = await import('./conflict-story.ts');
    const live = await writes.find({ kind, namespace, name });
    const { causes } = error.details;
    if (live && dryRun === 'none' && subresource === '' && isOwnConflict(causes)) {
      return { object: await migrated(session, writes, target, live, manager, send), done };
    }
    const parts = { name: objectName(kind, name), causes, live, wanted: document, now: session.runtime.now() };
    throw new CommandError(conflictStory(parts));
  }
}

/** An object that was merged by a client before is the plane's to merge from now on. */
async function migrated(
  session: Session,
  writes: ObjectWrites,
  target: Target,
  object: AnyObject,
  manager: string,
  again: () => Promise<AnyObject>,
): Promise<AnyObject> {
  if (object.metadata.managedFields === undefined) return object;
  const { migrate, wasClientSide } = await import('./client-side-migration.ts');
  if (!wasClientSide(object, await session.vocabulary())) return object;
  await migrate(writes, target, object, manager);
  return again();
}
