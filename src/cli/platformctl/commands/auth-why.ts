import {
  ANONYMOUS_USER,
  AUTHENTICATED_GROUP,
  parseServiceAccountUser,
  serviceAccountGroups,
} from '../../../api/user.ts';
import type { AccessExplanation } from '../../../kinds/explain/access-explanation.ts';
import type { Denial } from '../../../kinds/explain/denial.ts';
import { optionalText, repeated } from '../../../settings/flag.ts';
import { modeLines, storyText, type Tint, tintFor } from '../access/access-texts.ts';
import { ACCESS_FLAGS, askedAccess, askPlane, rememberedDenial } from '../access/asked-access.ts';
import { command } from '../frame/command.ts';
import { CommandError } from '../frame/failure.ts';
import { write } from '../frame/io.ts';
import { COLOR_FLAGS } from '../print/color-flags.ts';
import { asksForObjects, OUTPUT_FLAGS } from '../print/output-flags.ts';
import { printObject } from '../print/print-objects.ts';

export const authWhy = command({
  usage: 'auth why ID | VERB [TYPE [NAME] | TYPE/NAME | /PATH]',
  about:
    'Tells why a request was refused, by the id that the refusal carried, or why somebody may or may not do something: what each mode says, which rules come near, which roles would do, and the least that would.',
  examples: [
    ['Why was this refused?', 'auth why 5d2f4c9e-8a5b-4a53-9d6c-2f7b1d0c3e11'],
    ['Why may jane not read logs?', 'auth why get pods web --subresource=log --as jane --as-group staff'],
  ],
  flags: {
    ...ACCESS_FLAGS,
    as: optionalText('as', 'USER', 'whom the question is about; without it, about the caller'),
    asGroup: repeated('as-group', 'GROUP', 'group that the user is a member of'),
    ...OUTPUT_FLAGS,
    ...COLOR_FLAGS,
  },
  async run({ args, flags, session }) {
    const tint = tintFor(flags.color, session.io);
    const [id, ...more] = args;
    if (id === undefined) throw new CommandError('name the id of a denial, or a verb and a type');
    if (more.length === 0) {
      const denial = await rememberedDenial<Denial>(session, id);
      if (asksForObjects(flags)) return printObject(session, denial, flags, 'given');
      await write(session.io.stdout, denialText(denial, tint));
      return;
    }
    const who = flags.as === undefined && flags.asGroup.length === 0 ? {} : named(flags);
    const spec = { ...(await askedAccess(session, args, flags)), ...who };
    const answer = await askPlane<AccessExplanation>(session, 'AccessExplanation', spec);
    if (asksForObjects(flags)) return printObject(session, answer, flags, 'given');
    await write(session.io.stdout, storyText(answer.status, tint));
  },
});

interface Who {
  readonly user: string;
  readonly groups: readonly string[];
}

/** With the groups that the plane itself would add for somebody of that name. */
function named({
  as: user = '',
  asGroup,
}: {
  readonly as: string | undefined;
  readonly asGroup: readonly string[];
}): Who {
  const account = parseServiceAccountUser(user);
  const own = account && asGroup.length === 0 ? serviceAccountGroups(account.namespace) : asGroup;
  const isKnown = user === '' || user === ANONYMOUS_USER;
  return { user, groups: isKnown ? own : [...new Set([...own, AUTHENTICATED_GROUP])] };
}

function denialText({ request, status }: Denial, tint: Tint): string {
  const { message, count = 1, lastTime, impersonator, modes } = request;
  const lines = [
    `${tint('bold', 'Refused:')} ${message}`,
    `  ${count === 1 ? 'once' : `${count} times`}, last at ${lastTime}`,
    ...(impersonator ? [`  asked by ${impersonator}, who acted as another`] : []),
    ...modeLines(modes).map((line) => `  ${line}`),
  ];
  return `${lines.join('\n')}\n\n${status ? storyText(status, tint) : ''}`;
}
