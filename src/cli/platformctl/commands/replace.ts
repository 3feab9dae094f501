import { unless } from '../../../client/plane-client.ts';
import { optionalText } from '../../../settings/flag.ts';
import { command } from '../frame/command.ts';
import { CommandError } from '../frame/failure.ts';
import { onOff } from '../frame/flags.ts';
import { write } from '../frame/io.ts';
import type { Session } from '../frame/session.ts';
import { EXPLAIN_FLAGS, fieldValidation, outcomeWord, VALIDATION_FLAGS, WRITE_FLAGS } from '../frame/write-flags.ts';
import { lastApplied, withLastApplied } from '../manifests/last-applied.ts';
import type { ManifestObject } from '../manifests/read-manifests.ts';
import { OUTPUT_FLAGS } from '../print/output-flags.ts';
import { eachWritten } from '../resources/each-written.ts';
import { ObjectWrites, whileDoing } from '../resources/object-writes.ts';
import { documentOf, FILE_FLAGS, type SelectedObject, selectObjects } from '../resources/selection.ts';
import { objectName } from '../resources/served-resources.ts';
import { DELETION_FLAGS, type DeletionFlags } from './delete/deletion-flags.ts';
import { deleteObject, deletionOptions, untilGone } from './delete/deletions.ts';

export const replace = command({
  usage: 'replace -f FILE',
  about: 'Replaces objects with what files hold; with --force, deletes them and creates them anew.',
  flags: {
    ...FILE_FLAGS,
    ...WRITE_FLAGS,
    ...VALIDATION_FLAGS,
    ...EXPLAIN_FLAGS,
    ...OUTPUT_FLAGS,
    ...DELETION_FLAGS,
    saveConfig: onOff('save-config', false, 'remember in an annotation what was written, for later applies'),
    subresource: optionalText('subresource', 'NAME', 'what of the object to replace, such as status or scale'),
    wait: onOff('wait', false, 'wait until deleted objects are gone'),
  },
  async run({ args, flags, session }) {
    if (flags.filename.length === 0 && flags.kustomize === undefined)
      throw new CommandError('must specify one of -f and -k');
    if (flags.force && flags.dryRun !== 'none') throw new CommandError('--dry-run can not be used when --force is set');
    const { dryRun } = flags;
    const objects = await selectObjects(session, { ...flags, args });
    if (flags.explainAdmission) {
      if (flags.force) throw new CommandError('--explain-admission is for one write of each object: not with --force');
      const { explainWrites } = await import('./admission/explain-writes.ts');
      return explainWrites(session, objects, flags, 'platformctl-replace', (writes, object) =>
        replaceOne(writes, object, documentOf(object), flags.subresource ?? ''),
      );
    }
    const vocabulary = await session.vocabulary();
    const writes = await ObjectWrites.of(session, {
      fieldManager: flags.fieldManager ?? 'platformctl-replace',
      dryRun,
      fieldValidation: fieldValidation(flags),
    });
    const documentFor = (object: SelectedObject): ManifestObject => {
      const document = documentOf(object);
      const remembers = flags.saveConfig || lastApplied(document, vocabulary) !== undefined;
      return remembers ? withLastApplied(document, vocabulary) : document;
    };
    if (flags.force) await deleteAll(session, writes, objects, flags);
    await eachWritten(session, objects, flags, 'replacing', async (object) => {
      const document = documentFor(object);
      const done = outcomeWord('replaced', dryRun);
      if (dryRun === 'client') return { object: document, done };
      const { resource, namespace, manifest } = object;
      const written = flags.force
        ? writes.create(resource, namespace, document)
        : replaceOne(writes, object, document, flags.subresource ?? '');
      return { object: await written.catch(whileDoing('replacing', manifest?.source ?? '')), done };
    });
  },
});

/** Some kinds are replaced only by who says which version of the object that was seen. */
async function replaceOne(
  writes: ObjectWrites,
  { resource: kind, namespace, name }: SelectedObject,
  document: ManifestObject,
  subresource: string,
) {
  const target = { kind, namespace, name, subresource };
  const { resourceVersion = (await writes.get(target)).metadata.resourceVersion } = document.metadata;
  return writes.replace(target, { ...document, metadata: { ...document.metadata, resourceVersion } });
}

async function deleteAll(
  session: Session,
  writes: ObjectWrites,
  objects: readonly SelectedObject[],
  flags: DeletionFlags,
): Promise<void> {
  const options = deletionOptions(flags.gracePeriod < 0 ? { ...flags, gracePeriod: 0 } : flags);
  for (const object of objects) {
    const deletion = await deleteObject(writes, object, options).catch(unless('NotFound'));
    if (!deletion) continue;
    const kind = objectName(object.resource, '').slice(0, -1);
    await write(session.io.stdout, `${kind} ${JSON.stringify(object.name)} deleted\n`);
    await untilGone(session, writes, [deletion], flags.timeout);
  }
}
