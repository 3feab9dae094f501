import type { ObjectHistory } from '../../../../kinds/explain/object-history.ts';
import type { ObjectVersion } from '../../../../kinds/explain/object-version.ts';
import { integer } from '../../../../settings/flag.ts';
import { command } from '../../frame/command.ts';
import { onOff } from '../../frame/flags.ts';
import { write } from '../../frame/io.ts';
import { columnsText } from '../../print/columns.ts';
import { asksForObjects, OUTPUT_FLAGS } from '../../print/output-flags.ts';
import { printObject } from '../../print/print-objects.ts';
import { ask, explainedObject, makerText, orNone } from './question.ts';

const HEADER = ['REVISION', 'TIME', 'EVENT', 'BY', 'VERB', 'MANAGER', 'AUDIT ID'];

export const history = command({
  usage: 'history TYPE/NAME',
  about:
    'Shows the versions of an object that the plane remembers, the newest first, with who made each and by which request. Also of objects that were deleted a short while ago.',
  examples: [
    ['Who changed a deployment', 'history deployment/web'],
    ['What was deleted, and by whom', 'history configmap/settings --limit=1'],
  ],
  flags: {
    ...OUTPUT_FLAGS,
    limit: integer('limit', 0, 1_000_000, 0, 'show only so many versions; 0 for all'),
    noHeaders: onOff('no-headers', false, 'leave out the names of columns'),
  },
  async run({ args, flags, session }) {
    const object = await explainedObject(session, args);
    const versions: ObjectVersion[] = [];
    let next = '';
    let answer: ObjectHistory;
    do {
      const left = flags.limit === 0 ? {} : { limit: flags.limit - versions.length };
      answer = await ask<ObjectHistory>(session, 'ObjectHistory', { object, ...left, ...(next && { continue: next }) });
      versions.push(...(answer.status?.versions ?? []));
      next = answer.status?.continue ?? '';
    } while (next !== '' && (flags.limit === 0 || versions.length < flags.limit));
    if (asksForObjects(flags)) {
      const whole: ObjectHistory = { ...answer, ...(answer.status && { status: { ...answer.status, versions } }) };
      return printObject(session, whole, flags, 'given');
    }
    const rows = versions.map((version) => [
      version.resourceVersion,
      version.time ?? '',
      version.event,
      makerText(version),
      orNone([version.verb, version.subresource].filter(Boolean).join('/')),
      orNone(version.fieldManager),
      orNone(version.auditID),
    ]);
    await write(session.io.stdout, columnsText(flags.noHeaders ? rows : [HEADER, ...rows]));
  },
});
