import type { FieldStory, OwnershipReview } from '../../../../kinds/explain/ownership-review.ts';
import { optionalText } from '../../../../settings/flag.ts';
import { command } from '../../frame/command.ts';
import { onOff } from '../../frame/flags.ts';
import { write } from '../../frame/io.ts';
import { columnsText } from '../../print/columns.ts';
import { asksForObjects, OUTPUT_FLAGS } from '../../print/output-flags.ts';
import { printObject } from '../../print/print-objects.ts';
import { ask, explainedObject, makerText, moreText, orNone, valueText } from './question.ts';

const HEADER = ['FIELD', 'VALUE', 'OWNERS', 'REVISION', 'SET', 'BY', 'BEFORE'];

export const blame = command({
  usage: 'blame TYPE/NAME',
  about:
    'Shows every field of an object with who owns it, and, as far as the plane remembers, which version set it, who made that, and what was there before.',
  examples: [['Who set the image of a deployment', 'blame deployment/web --field=.spec.template.spec']],
  flags: {
    ...OUTPUT_FLAGS,
    field: optionalText('field', 'PATH', 'only fields whose path begins so, such as .spec'),
    noHeaders: onOff('no-headers', false, 'leave out the names of columns'),
  },
  async run({ args, flags, session }) {
    const object = await explainedObject(session, args);
    const spec = { object, ...(flags.field && { fieldPrefix: flags.field }) };
    const answer = await ask<OwnershipReview>(session, 'OwnershipReview', spec);
    if (asksForObjects(flags)) return printObject(session, answer, flags, 'given');
    const { fields = [], remainingFields, complete = true } = answer.status ?? {};
    const rows = fields.map(rowOf);
    await write(session.io.stdout, columnsText(flags.noHeaders ? rows : [HEADER, ...rows]));
    const rest = moreText(remainingFields, 'fields: ask for some of them with --field');
    const short = complete ? '' : 'older versions were not looked at, because there are very many\n';
    await write(session.io.stderr, rest + short);
  },
});

const rowOf = ({ path, value, owners, setBy, previous }: FieldStory): string[] => [
  path,
  valueText(value),
  orNone(owners?.map(({ manager, subresource }) => (subresource ? `${manager} (${subresource})` : manager)).join(', ')),
  setBy?.resourceVersion ?? '<unknown>',
  setBy?.time ?? '<unknown>',
  setBy ? makerText(setBy) : '<unknown>',
  valueText(previous),
];
