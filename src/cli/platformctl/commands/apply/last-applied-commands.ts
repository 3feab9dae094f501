import type { AnyObject } from '../../../../client/plane-client.ts';
import { isObject } from '../../../../schema/json-object.ts';
import { optionalText, text } from '../../../../settings/flag.ts';
import { command } from '../../frame/command.ts';
import { CommandError } from '../../frame/failure.ts';
import { onOff, short } from '../../frame/flags.ts';
import { write } from '../../frame/io.ts';
import { outcomeWord, WRITE_FLAGS } from '../../frame/write-flags.ts';
import { lastApplied, lastAppliedKey } from '../../manifests/last-applied.ts';
import { compactJsonText } from '../../print/json-text.ts';
import { OUTPUT_FLAGS } from '../../print/output-flags.ts';
import { printOutcome } from '../../print/print-objects.ts';
import { eachWritten } from '../../resources/each-written.ts';
import { ObjectWrites } from '../../resources/object-writes.ts';
import { CHOICE_FLAGS, documentOf, FILE_FLAGS, liveObject, selectObjects } from '../../resources/selection.ts';

export const viewLastApplied = command({
  usage: 'apply view-last-applied (TYPE [NAME | -l LABELS] | TYPE/NAME | -f FILE)',
  about: 'Shows what was applied by a client the last time.',
  flags: {
    ...FILE_FLAGS,
    selector: CHOICE_FLAGS.selector,
    all: CHOICE_FLAGS.all,
    output: short('o', text('output', 'yaml|json', 'yaml', 'format')),
  },
  async run({ args, flags, session }) {
    if (flags.output !== 'yaml' && flags.output !== 'json') {
      throw new CommandError(
        `Unexpected -o output mode: ${flags.output}, the flag 'output' must be one of yaml|json\nSee 'platformctl apply view-last-applied -h' for help and examples`,
      );
    }
    const client = await session.client();
    const vocabulary = await session.vocabulary();
    const { yamlText } = await import('../../print/yaml-text.ts');
    for (const object of await selectObjects(session, { ...flags, args })) {
      const remembered = lastApplied(await liveObject(client, object), vocabulary);
      if (remembered === undefined) continue;
      const document: unknown = JSON.parse(remembered);
      const shown = flags.output === 'json' ? `${JSON.stringify(document, null, 2)}\n` : yamlText(document);
      await write(session.io.stdout, shown);
    }
  },
});

export const setLastApplied = command({
  usage: 'apply set-last-applied -f FILE',
  about: 'Has objects remember what a file holds as what was applied last, and changes nothing else.',
  flags: {
    ...FILE_FLAGS,
    ...OUTPUT_FLAGS,
    dryRun: WRITE_FLAGS.dryRun,
    createAnnotation: onOff('create-annotation', false, 'also for objects that remember nothing yet'),
  },
  async run({ args, flags, session }) {
    const objects = await selectObjects(session, { ...flags, args });
    const vocabulary = await session.vocabulary();
    const writes = await ObjectWrites.of(session, { dryRun: flags.dryRun });
    const key = lastAppliedKey(vocabulary);
    await eachWritten(session, objects, flags, 'changing', async (object) => {
      const { resource: kind, namespace, name } = object;
      const live = await writes.get({ kind, namespace, name });
      const before = lastApplied(live, vocabulary);
      if (before === undefined && !flags.createAnnotation) {
        throw new CommandError(
          `no last-applied-configuration annotation found on resource: ${name}, to create the annotation, run the command with --create-annotation`,
        );
      }
      const after = `${compactJsonText(documentOf(object))}\n`;
      if (before?.trimEnd() === after.trimEnd()) {
        await write(session.io.stdout, `set-last-applied ${name}: no changes required.\n`);
        return undefined;
      }
      const patch = { metadata: { annotations: { [key]: after } } };
      const written = flags.dryRun === 'client' ? live : await writes.patch({ kind, namespace, name }, 'merge', patch);
      return { object: written, done: outcomeWord('configured', flags.dryRun) };
    });
  },
});

export const editLastApplied = command({
  usage: 'apply edit-last-applied (TYPE/NAME | -f FILE)',
  about: 'Opens in an editor what was applied by a client the last time.',
  flags: {
    ...FILE_FLAGS,
    fieldManager: WRITE_FLAGS.fieldManager,
    output: short('o', optionalText('output', 'yaml|json', 'format')),
  },
  async run({ args, flags, session }) {
    const client = await session.client();
    const vocabulary = await session.vocabulary();
    const key = lastAppliedKey(vocabulary);
    const resources = await session.resources();
    const writes = await ObjectWrites.of(session, {
      fieldManager: flags.fieldManager ?? 'platformctl-client-side-apply',
      dryRun: 'none',
    });
    const remembered: AnyObject[] = [];
    for (const object of await selectObjects(session, { ...flags, args })) {
      const document: unknown = JSON.parse(lastApplied(await liveObject(client, object), vocabulary) ?? 'null');
      if (!isObject(document))
        throw new CommandError(`no last-applied-configuration annotation found on resource: ${object.name}`);
      remembered.push(document as unknown as AnyObject);
    }
    const { editObjects } = await import('../edit/edit-session.ts');
    const { namesBy } = await import('../edit/edited-names.ts');
    const store = async (before: AnyObject, after: AnyObject): Promise<void> => {
      const kind = resources.ofKind(before.apiVersion, before.kind);
      const { namespace = '', name = '' } = before.metadata;
      const patch = { metadata: { annotations: { [key]: `${compactJsonText(after)}\n` } } };
      const written = await writes.patch({ kind, namespace, name }, 'merge', patch);
      await printOutcome(session, written, 'edited', {});
    };
    await editObjects(session, remembered, flags.output === 'json' ? 'json' : 'yaml', {
      nameOf: namesBy(resources),
      store,
    });
  },
});
