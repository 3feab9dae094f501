import type { AnyObject } from '../../../../client/plane-client.ts';
import type { Session } from '../../frame/session.ts';
import { printOutcome } from '../../print/print-objects.ts';
import type { ObjectWrites } from '../../resources/object-writes.ts';
import { documentOf, type SelectedObject } from '../../resources/selection.ts';
import { editObjects } from './edit-session.ts';
import { namesBy } from './edited-names.ts';
import type { EditFormat } from './edited-text.ts';

/** Has manifests edited, and creates what became of them. */
export async function editBeforeCreation(
  session: Session,
  writes: ObjectWrites,
  objects: readonly SelectedObject[],
  format: EditFormat,
): Promise<void> {
  const resources = await session.resources();
  const working = (await session.namespace()).name;
  const documents = objects.map((object) => documentOf(object) as AnyObject);
  await editObjects(session, documents, format, {
    nameOf: namesBy(resources),
    async store(_before, after) {
      const resource = resources.ofKind(after.apiVersion, after.kind);
      const created = await writes.create(resource, after.metadata.namespace ?? working, after);
      await printOutcome(session, created, 'created', {});
    },
  });
}
