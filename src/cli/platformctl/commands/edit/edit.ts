import type { AnyObject } from '../../../../client/plane-client.ts';
import { twoWayDifference } from '../../../../patch/strategic-difference.ts';
import type { JsonObject } from '../../../../schema/json-object.ts';
import { optionalChoice, optionalText } from '../../../../settings/flag.ts';
import { command } from '../../frame/command.ts';
import { CommandError } from '../../frame/failure.ts';
import { onOff, short } from '../../frame/flags.ts';
import { write } from '../../frame/io.ts';
import { fieldValidation, VALIDATION_FLAGS, WRITE_FLAGS } from '../../frame/write-flags.ts';
import { withLastApplied } from '../../manifests/last-applied.ts';
import { compactJsonText } from '../../print/json-text.ts';
import { withoutManagedFields } from '../../print/managed-fields.ts';
import { printOutcome } from '../../print/print-objects.ts';
import { MergePlans } from '../../resources/merge-plans.ts';
import { ObjectWrites } from '../../resources/object-writes.ts';
import { FILE_FLAGS, liveObject, selectObjects } from '../../resources/selection.ts';
import { editObjects } from './edit-session.ts';
import { namesBy } from './edited-names.ts';

export const edit = command({
  usage: 'edit (TYPE/NAME | -f FILE)',
  about:
    'Opens objects in an editor, and stores what was changed. What is refused comes back with the reason. The editor is PLATFORM_EDITOR, KUBE_EDITOR, EDITOR, or vi.',
  examples: [
    ['One object', 'edit configmap/settings'],
    ['In another editor, as JSON', 'EDITOR=nano platformctl edit deployment web -o json'],
  ],
  flags: {
    ...FILE_FLAGS,
    ...VALIDATION_FLAGS,
    fieldManager: WRITE_FLAGS.fieldManager,
    output: short('o', optionalChoice('output', ['yaml', 'json'], 'format of the text; yaml unless given')),
    outputPatch: onOff('output-patch', false, 'show the patch that was sent'),
    saveConfig: onOff('save-config', false, 'remember in an annotation what was written, for later applies'),
    showManagedFields: onOff('show-managed-fields', false, 'keep managedFields in the text'),
    subresource: optionalText('subresource', 'NAME', 'what of the object to edit, such as status'),
  },
  async run({ args, flags, session }) {
    const { subresource = '' } = flags;
    const isAll = args.length === 1 && !args[0]?.includes('/');
    const chosen = await selectObjects(session, { ...flags, args, all: isAll && flags.filename.length === 0 });
    if (chosen.length === 0) throw new CommandError('edit cancelled, no objects found');
    const client = await session.client();
    const vocabulary = await session.vocabulary();
    const writes = await ObjectWrites.of(session, {
      fieldManager: flags.fieldManager ?? 'platformctl-edit',
      dryRun: 'none',
      fieldValidation: fieldValidation(flags),
    });
    const plans = new MergePlans(client, vocabulary);
    const resources = await session.resources();
    const live: AnyObject[] = [];
    for (const { listed: _, ...object } of chosen) {
      const { resource: kind, namespace, name } = object;
      const found = await (subresource === ''
        ? liveObject(client, object)
        : client.get<AnyObject>({ kind, namespace, name, subresource }));
      live.push(flags.showManagedFields ? found : withoutManagedFields(found));
    }
    const nameOf = namesBy(resources);
    const store = async (before: AnyObject, after: AnyObject): Promise<void> => {
      const kind = subresource === '' ? resources.ofKind(before.apiVersion, before.kind) : chosen[0]?.resource;
      if (!kind) return;
      const wanted = flags.saveConfig ? withLastApplied(after, vocabulary) : after;
      const plan = subresource === '' ? await plans.planOf(kind) : undefined;
      const patch = twoWayDifference(before as unknown as JsonObject, wanted as unknown as JsonObject, plan);
      if (flags.outputPatch) await write(session.io.stdout, `Patch: ${compactJsonText(patch)}\n`);
      if (Object.keys(patch).length === 0) {
        await printOutcome(session, before, 'skipped', {});
        return;
      }
      const { namespace = '', name = '' } = before.metadata;
      const stored = await writes.patch({ kind, namespace, name, subresource }, plan ? 'strategic' : 'merge', patch);
      await printOutcome(session, stored, 'edited', {});
    };
    await editObjects(session, live, flags.output ?? 'yaml', { nameOf, store });
  },
});
