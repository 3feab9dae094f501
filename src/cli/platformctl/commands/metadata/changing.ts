import type { AnyObject } from '../../../../client/plane-client.ts';
import { optionalText } from '../../../../settings/flag.ts';
import { type Command, command } from '../../frame/command.ts';
import { CommandError } from '../../frame/failure.ts';
import { onOff } from '../../frame/flags.ts';
import { write } from '../../frame/io.ts';
import type { Session } from '../../frame/session.ts';
import { type DryRun, outcomeWord, WRITE_FLAGS } from '../../frame/write-flags.ts';
import { readManifests } from '../../manifests/read-manifests.ts';
import { OUTPUT_FLAGS } from '../../print/output-flags.ts';
import { printOutcome } from '../../print/print-objects.ts';
import { eachWritten } from '../../resources/each-written.ts';
import { ObjectWrites } from '../../resources/object-writes.ts';
import { liveObject, SELECTION_FLAGS, type SelectedObject, selectObjects } from '../../resources/selection.ts';
import { type PairChanges, pairChanges } from './pairs.ts';

type Pairs = Readonly<Record<string, string>>;

/** What labels and annotations differ in. */
export interface MetadataField {
  readonly what: 'label' | 'annotation';
  readonly field: 'labels' | 'annotations';
  readonly usage: string;
  readonly about: string;
  readonly examples: NonNullable<Command['examples']>;
  readonly fieldManager: string;
  /** Throws when pairs are there already that the line may not overwrite. */
  refuseOverwrite(taken: readonly (readonly [key: string, value: string])[]): void;
  /** Such as `labeled`. */
  done(before: Pairs | undefined, after: Pairs): string;
  /** Told of keys that are to be removed and are not there. */
  readonly tellsOfMissing: boolean;
}

/** The command that changes labels, or annotations. */
export const metadataCommand = (field: MetadataField): Command =>
  command({
    usage: field.usage,
    about: field.about,
    examples: field.examples,
    flags: {
      ...SELECTION_FLAGS,
      ...WRITE_FLAGS,
      ...OUTPUT_FLAGS,
      fieldSelector: optionalText('field-selector', 'SELECTOR', 'fields that the objects have'),
      overwrite: onOff('overwrite', false, 'change what has another value'),
      list: onOff('list', false, `show the ${field.field} of the objects`),
      local: onOff('local', false, 'change what is in the file, and ask nobody'),
      resourceVersion: optionalText('resource-version', 'VERSION', 'only if the object has this version'),
    },
    async run({ args, flags, session }) {
      const changes = pairChanges(args, field.what);
      if (changes.set.size + changes.remove.length === 0 && !flags.list) {
        throw new CommandError(`at least one ${field.what} update is required`);
      }
      const { dryRun, overwrite, resourceVersion } = flags;
      const change = { field, changes, overwrite, resourceVersion, dryRun };
      if (flags.local) {
        let count = 0;
        for await (const { object } of readManifests(flags, session.io)) {
          const { changed, done } = await changedObject(session, object as AnyObject, change);
          await printOutcome(session, changed, done, flags, { count: count++ });
        }
        return;
      }
      const objects = await selectObjects(session, { ...flags, args: changes.resources });
      if (flags.list) return listPairs(session, objects, field);
      const client = await session.client();
      const writes = await ObjectWrites.of(session, { fieldManager: flags.fieldManager ?? field.fieldManager, dryRun });
      await eachWritten(session, objects, flags, 'changing', async (object) => {
        const before = await liveObject(client, object);
        const { changed, done, patch } = await changedObject(session, before, change);
        if (dryRun === 'client') return { object: changed, done };
        const { resource: kind, namespace, name } = object;
        return { object: await writes.patch({ kind, namespace, name }, 'merge', patch), done };
      });
    },
  });

interface MetadataChange {
  readonly field: MetadataField;
  readonly changes: PairChanges;
  readonly overwrite: boolean;
  readonly resourceVersion: string | undefined;
  readonly dryRun: DryRun;
}

async function changedObject(
  session: Session,
  object: AnyObject,
  { field: { field, ...rules }, changes, overwrite, resourceVersion, dryRun }: MetadataChange,
): Promise<{ readonly changed: AnyObject; readonly done: string; readonly patch: object }> {
  const before: Pairs | undefined = object.metadata[field];
  const taken = [...changes.set.keys()].flatMap((key) => {
    const value = before?.[key];
    return value === undefined || value === changes.set.get(key) ? [] : [[key, value] as const];
  });
  if (!overwrite && taken.length > 0) rules.refuseOverwrite(taken);
  const missing = changes.remove.filter((key) => before?.[key] === undefined);
  if (rules.tellsOfMissing) {
    for (const key of missing) await write(session.io.stdout, `${rules.what} ${JSON.stringify(key)} not found.\n`);
  }
  const after: Record<string, string> = { ...before, ...Object.fromEntries(changes.set) };
  for (const key of changes.remove) delete after[key];
  const removals = Object.fromEntries(changes.remove.map((key) => [key, null]));
  const patch = {
    metadata: {
      [field]: { ...Object.fromEntries(changes.set), ...removals },
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
  };
  return {
    changed: { ...object, metadata: { ...object.metadata, [field]: after } },
    done: outcomeWord(rules.done(before, after), dryRun),
    patch,
  };
}

async function listPairs(
  session: Session,
  objects: readonly SelectedObject[],
  { field }: MetadataField,
): Promise<void> {
  const client = await session.client();
  for (const object of objects) {
    const pairs = Object.entries((await liveObject(client, object)).metadata[field] ?? {});
    const isOne = objects.length === 1;
    const { kind, group } = object.resource;
    const title = isOne ? '' : `Listing ${field} for ${kind}.${group}/${object.name}:\n`;
    const lines = pairs.map(([key, value]) => `${isOne ? '' : ' '}${key}=${value}\n`);
    await write(session.io.stdout, `${title}${lines.join('')}`);
  }
}
