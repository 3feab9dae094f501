import type { WhoCanReview } from '../../../kinds/explain/who-can-review.ts';
import { grantLines, holderText, tintFor } from '../access/access-texts.ts';
import { ACCESS_FLAGS, askedAccess, askPlane } from '../access/asked-access.ts';
import { command } from '../frame/command.ts';
import { write } from '../frame/io.ts';
import { COLOR_FLAGS } from '../print/color-flags.ts';
import { asksForObjects, OUTPUT_FLAGS } from '../print/output-flags.ts';
import { printObject } from '../print/print-objects.ts';

export const authWhoCan = command({
  usage: 'auth who-can VERB [TYPE [NAME] | TYPE/NAME | /PATH]',
  about: 'Shows who may do something, and by which bindings, roles and rules.',
  examples: [
    ['Who may read secrets here?', 'auth who-can get secrets'],
    ['Who may read logs of one pod?', 'auth who-can get pods web --subresource=log'],
    ['Who may read nodes, and in all namespaces?', 'auth who-can list pods --all-namespaces'],
  ],
  flags: { ...ACCESS_FLAGS, ...OUTPUT_FLAGS, ...COLOR_FLAGS },
  async run({ args, flags, session }) {
    const review = await askPlane<WhoCanReview>(session, 'WhoCanReview', await askedAccess(session, args, flags));
    if (asksForObjects(flags)) return printObject(session, review, flags, 'given');
    const { everyone, subjects, omittedSubjects = 0, incomplete, evaluationError } = review.status;
    const tint = tintFor(flags.color, session.io);
    const lines = [
      ...(everyone ? [tint('bold', 'everyone')] : []),
      ...(subjects ?? []).flatMap(({ grants, omittedGrants = 0, ...holder }) => [
        tint('bold', holderText(holder)),
        ...(grants ?? []).flatMap(grantLines).map((line) => `  ${line}`),
        ...(omittedGrants > 0 ? [`  and by ${omittedGrants} more`] : []),
      ]),
      ...(omittedSubjects > 0 ? [`and ${omittedSubjects} more`] : []),
    ];
    await write(session.io.stdout, lines.length === 0 ? 'nobody\n' : `${lines.join('\n')}\n`);
    if (incomplete) await write(session.io.stderr, `Warning: the answer may be incomplete: ${evaluationError}\n`);
  },
});
