import type { WriteActivity } from '../../../../kinds/explain/write-activity.ts';
import { command } from '../../frame/command.ts';
import { CommandError } from '../../frame/failure.ts';
import { write } from '../../frame/io.ts';
import { columnsText } from '../../print/columns.ts';
import { asksForObjects, OUTPUT_FLAGS } from '../../print/output-flags.ts';
import { printObject } from '../../print/print-objects.ts';
import { allRemembered } from './remembered.ts';

export const hot = command({
  usage: 'hot',
  about:
    'Shows who wrote most in the last minutes, what was written most, how much of it changed nothing, and which fields several managers change in turn.',
  examples: [['Who keeps the plane busy?', 'hot']],
  flags: OUTPUT_FLAGS,
  async run({ args, flags, session }) {
    if (args.length > 0) throw new CommandError('hot takes no arguments');
    const [activity] = await allRemembered<WriteActivity>(session, 'WriteActivity');
    if (!activity) throw new CommandError('the plane has counted no writes');
    if (asksForObjects(flags)) return printObject(session, activity, flags, 'given');
    const { since, writes, noOps } = activity.status;
    const summary = `${writes} writes since ${since}, ${noOps} of which changed nothing\n\n`;
    await write(session.io.stdout, summary + tablesText(activity.status));
  },
});

function tablesText({ writers, objects, fights }: WriteActivity['status']): string {
  const tables = [
    [
      ['WRITES', 'NO-OPS', 'KIND', 'USER', 'MANAGER'],
      ...(writers ?? []).map((one) => [one.writes, one.noOps, kindText(one), one.user, one.manager || '<none>']),
    ],
    [
      ['WRITES', 'NO-OPS', 'OBJECT', 'NAMESPACE', 'CHANGED HANDS'],
      ...(objects ?? []).map((one) => [
        one.writes,
        one.noOps,
        nameText(one),
        one.namespace || '<none>',
        one.alternations,
      ]),
    ],
    [
      ['CHANGES', 'FIELD', 'OBJECT', 'NAMESPACE', 'MANAGERS'],
      ...(fights ?? []).map((one) => [
        ...[one.changes, one.path, nameText(one), one.namespace || '<none>'],
        (one.managers ?? []).join(', '),
      ]),
    ],
  ];
  return tables
    .filter((rows) => rows.length > 1)
    .map((rows) => columnsText(rows.map((row) => row.map(String))))
    .join('\n');
}

interface Kind {
  readonly group: string;
  readonly resource: string;
}

const kindText = ({ group, resource }: Kind): string => (group === '' ? resource : `${resource}.${group}`);
const nameText = (one: Kind & { readonly name: string }): string => `${kindText(one)}/${one.name}`;
