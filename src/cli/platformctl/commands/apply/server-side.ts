import { isRefusal } from '../../../../client/plane-client.ts';
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
}

/** Has the plane merge a document. Fields that others manage are told one by one. */
export async function serverSideApply(
  session: Session,
  writes: ObjectWrites,
  { resource: kind, namespace, name }: SelectedObject,
  document: ManifestObject,
  { dryRun, forceConflicts, subresource = '' }: ServerSideFlags,
): Promise<Written> {
  const { managedFields: _, ...metadata } = document.metadata;
  if (metadata.generateName)
    throw new CommandError(`from ${metadata.generateName}: cannot use generate name with apply`);
  const target = { kind, namespace, name, subresource };
  try {
    const object = await writes.apply(target, { ...document, metadata }, forceConflicts);
    return { object, done: outcomeWord('serverside-applied', dryRun) };
  } catch (error) {
    if (!isRefusal(error, 'Conflict') || !error.details?.causes?.length) throw error;
    const { conflictStory } = await import('./conflict-story.ts');
    const live = await writes.find({ kind, namespace, name });
    throw new CommandError(
      conflictStory({
        name: objectName(kind, name),
        causes: error.details.causes,
        live,
        wanted: document,
        now: session.runtime.now(),
      }),
    );
  }
}
