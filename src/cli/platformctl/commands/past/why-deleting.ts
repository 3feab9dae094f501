import type { DeletionBlocker, DeletionReview } from '../../../../kinds/explain/deletion-review.ts';
import { command } from '../../frame/command.ts';
import { onOff } from '../../frame/flags.ts';
import { write } from '../../frame/io.ts';
import { columnsText } from '../../print/columns.ts';
import { asksForObjects, OUTPUT_FLAGS } from '../../print/output-flags.ts';
import { printObject } from '../../print/print-objects.ts';
import { ask, explainedObject, makerText, moreText } from './question.ts';

const HEADER = ['WHAT', 'NAME', 'BY', 'WHY'];

export const whyDeleting = command({
  usage: 'why-deleting TYPE/NAME',
  about: 'Shows what keeps an object or a namespace from going; of one that is not being deleted, what would keep it.',
  examples: [['Why does a namespace not go?', 'why-deleting namespace/shop']],
  flags: { ...OUTPUT_FLAGS, noHeaders: onOff('no-headers', false, 'leave out the names of columns') },
  async run({ args, flags, session }) {
    const object = await explainedObject(session, args);
    const answer = await ask<DeletionReview>(session, 'DeletionReview', { object });
    if (asksForObjects(flags)) return printObject(session, answer, flags, 'given');
    const { deleting = false, deletionTimestamp, blockers = [], remainingBlockers, notSearched } = answer.status ?? {};
    const name = `${object.resource}/${object.name}`;
    await write(
      session.io.stderr,
      `${name} ${deleting ? `is going since ${deletionTimestamp}` : 'is not being deleted'}\n`,
    );
    const rows = blockers.map(rowOf);
    if (rows.length === 0) await write(session.io.stderr, 'Nothing that is known here is in the way.\n');
    else await write(session.io.stdout, columnsText(flags.noHeaders ? rows : [HEADER, ...rows]));
    const unseen = notSearched?.length ? `not looked at: ${notSearched.join(', ')}\n` : '';
    await write(session.io.stderr, moreText(remainingBlockers, 'of these') + unseen);
  },
});

const rowOf = (blocker: DeletionBlocker): string[] => [
  blocker.certain ? blocker.type : `${blocker.type}?`,
  nameOf(blocker),
  blocker.setBy ? makerText(blocker.setBy) : (blocker.owners ?? []).map(({ manager }) => manager).join(', '),
  [blocker.message, finalizersOf(blocker)].filter(Boolean).join('; '),
];

function nameOf({ type, name = '', object, count }: DeletionBlocker): string {
  if (type === 'Content') return `${count} ${name}`;
  return type === 'Dependent' && object ? `${object.resource}/${name}` : name;
}

const finalizersOf = ({ finalizers }: DeletionBlocker): string =>
  finalizers?.length ? `finalizers: ${finalizers.join(', ')}` : '';
