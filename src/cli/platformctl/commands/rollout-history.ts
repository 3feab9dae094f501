import type { PodTemplateSpec } from '../../../kinds/core/pod/pod-template.ts';
import { integer } from '../../../settings/flag.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import { Plane } from '../describe/plane.ts';
import { command } from '../frame/command.ts';
import { CommandError, throwFailures } from '../frame/failure.ts';
import { write } from '../frame/io.ts';
import type { Session } from '../frame/session.ts';
import { asksForObjects, OUTPUT_FLAGS, type OutputFlags } from '../print/output-flags.ts';
import { printObjects } from '../print/print-objects.ts';
import type { SelectedObject } from '../resources/selection.ts';
import { objectName } from '../resources/served-resources.ts';
import { type Revision, revisionsOf } from '../rollout/revisions.ts';
import { isRolledOut, live, ROLLOUT_FLAGS, rolloutObjects } from '../rollout/selection.ts';
import { templateText } from '../rollout/template-text.ts';

export const rolloutHistory = command({
  usage: 'rollout history (TYPE NAME | TYPE/NAME)',
  about: 'Shows the revisions of a workload that are still there, or one of them whole.',
  examples: [
    ['The revisions of a deployment', 'rollout history deployment/web'],
    ['What the third was like', 'rollout history deployment/web --revision=3'],
  ],
  flags: {
    ...ROLLOUT_FLAGS,
    ...OUTPUT_FLAGS,
    revision: integer('revision', 0, 2 ** 31 - 1, 0, 'the revision to show whole; 0 for a list of all'),
  },
  async run({ args, flags, session }) {
    const failures: unknown[] = [];
    for (const object of await rolloutObjects(session, args, flags)) {
      await show(session, object, flags).catch((error: unknown) => failures.push(error));
    }
    throwFailures(failures);
  },
});

async function show(
  session: Session,
  object: SelectedObject,
  flags: OutputFlags & { readonly revision: number },
): Promise<void> {
  const { resource, name } = object;
  if (!isRolledOut(object)) {
    const kind = `${resource.group} ${resource.kind}`;
    throw new CommandError(`error retrieving history for "${resource.kind}", no visitor method exists for {${kind}}`);
  }
  const vocabulary = await session.vocabulary();
  const plane = new Plane(await session.client(), await session.resources());
  const revisions = await revisionsOf(plane, await live(session, object), vocabulary);
  const chosen = flags.revision === 0 ? undefined : revisions.find(({ number }) => number === flags.revision);
  if (flags.revision > 0 && !chosen && revisions.length > 0) {
    throw new CommandError('unable to find the specified revision');
  }
  if (asksForObjects(flags)) {
    const holders = (chosen ? [chosen] : revisions).map(({ holder }) => holder);
    await printObjects(session, holders, flags, 'given');
    return;
  }
  const title = flags.revision > 0 ? `with revision #${flags.revision}` : '';
  const text = chosen ? templateText(withCause(chosen, vocabulary), vocabulary) : listText(revisions);
  await write(session.io.stdout, `${objectName(resource, name)} ${title}\n${text}\n`);
}

/** Why a revision was made is shown with its template. */
function withCause({ template, cause }: Revision, { annotations }: Vocabulary): PodTemplateSpec {
  if (cause === '') return template;
  const { metadata } = template;
  const noted = { ...metadata, annotations: { ...metadata.annotations, [annotations.changeCause]: cause } };
  return { ...template, metadata: noted } as PodTemplateSpec;
}

function listText(revisions: readonly Revision[]): string {
  if (revisions.length === 0) return 'No rollout history found.';
  const width = Math.max('REVISION'.length, ...revisions.map(({ number }) => String(number).length)) + 2;
  const rows = revisions.map(({ number, cause }) => `${String(number).padEnd(width)}${cause || '<none>'}\n`);
  return `${'REVISION'.padEnd(width)}CHANGE-CAUSE\n${rows.join('')}`;
}
