import type { FieldChange } from '../../../../kinds/explain/field-change.ts';
import type { ObjectDiff } from '../../../../kinds/explain/object-diff.ts';
import { CommandError } from '../../frame/failure.ts';
import { write } from '../../frame/io.ts';
import type { Session } from '../../frame/session.ts';
import { asksForObjects, type OutputFlags } from '../../print/output-flags.ts';
import { printObject } from '../../print/print-objects.ts';
import { ask, explainedObject, moreText } from './question.ts';

export interface RevisionFlags extends OutputFlags {
  /** `A` for the difference between then and now, `A,B` for that of two moments. */
  readonly revision: string;
  readonly showManagedFields: boolean;
}

/** Prints the fields that two versions of an object differ in. Gives whether there are any. */
export async function diffRevisions(session: Session, args: readonly string[], flags: RevisionFlags): Promise<boolean> {
  const [fromRevision = '', toRevision, ...more] = flags.revision.split(',');
  if (fromRevision === '' || toRevision === '' || more.length > 0) {
    throw new CommandError('--revision takes one resource version, or two with a comma between them');
  }
  const spec = {
    object: await explainedObject(session, args),
    fromRevision,
    ...(toRevision && { toRevision }),
    ...(flags.showManagedFields && { includeBookkeeping: true }),
  };
  const answer = await ask<ObjectDiff>(session, 'ObjectDiff', spec);
  const { changes = [], remainingChanges } = answer.status ?? {};
  if (asksForObjects(flags)) await printObject(session, answer, flags, 'given');
  else {
    await write(session.io.stdout, changes.map(changeText).join(''));
    await write(session.io.stderr, moreText(remainingChanges, 'fields'));
  }
  return changes.length > 0;
}

function changeText({ path, before, after }: FieldChange): string {
  const lines = [path];
  if (before !== undefined) lines.push(`- ${JSON.stringify(before)}`);
  if (after !== undefined) lines.push(`+ ${JSON.stringify(after)}`);
  return `${lines.join('\n')}\n`;
}
