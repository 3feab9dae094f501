import type { ObjectRestore } from '../../../../kinds/explain/object-restore.ts';
import { optionalText } from '../../../../settings/flag.ts';
import { command } from '../../frame/command.ts';
import { CommandError } from '../../frame/failure.ts';
import { onOff } from '../../frame/flags.ts';
import { write } from '../../frame/io.ts';
import { WRITE_FLAGS } from '../../frame/write-flags.ts';
import { asksForObjects, OUTPUT_FLAGS } from '../../print/output-flags.ts';
import { printObject } from '../../print/print-objects.ts';
import { ask, explainedObject } from './question.ts';

export const restore = command({
  usage: 'restore TYPE/NAME (--revision=R | --deleted)',
  about:
    'Writes an old state of an object as its new one, or makes an object that was deleted anew. It is an ordinary write: it takes the same rights, and can be refused for the same reasons.',
  examples: [
    ['What it was before the last change', 'restore configmap/settings --revision=1041'],
    ['Bring back what was deleted', 'restore deployment/web --deleted'],
  ],
  flags: {
    ...OUTPUT_FLAGS,
    dryRun: WRITE_FLAGS.dryRun,
    revision: optionalText('revision', 'R', 'the version to restore, as history shows it'),
    deleted: onOff('deleted', false, 'the last state of an object that is gone'),
  },
  async run({ args, flags, session }) {
    if ((flags.revision === undefined) !== flags.deleted)
      throw new CommandError('either --revision or --deleted is required');
    if (flags.dryRun === 'client')
      throw new CommandError('only the plane knows what it would restore: use --dry-run=server');
    const object = await explainedObject(session, args);
    const spec = { object, ...(flags.revision === undefined ? { deleted: true } : { revision: flags.revision }) };
    const dryRun = flags.dryRun === 'server';
    const answer = await ask<ObjectRestore>(session, 'ObjectRestore', spec, { dryRun });
    if (asksForObjects(flags)) return printObject(session, answer, flags, 'given');
    const { changed, restoredRevision } = answer.status ?? {};
    const done = changed ? `restored as of ${restoredRevision}` : 'unchanged';
    const where = object.group ? `${object.resource}.${object.group}` : object.resource;
    await write(session.io.stdout, `${where}/${object.name} ${done}${dryRun ? ' (server dry run)' : ''}\n`);
  },
});
