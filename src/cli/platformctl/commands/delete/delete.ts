import { isRefusal, refusalIn } from '../../../../client/plane-client.ts';
import { optionalText } from '../../../../settings/flag.ts';
import { command } from '../../frame/command.ts';
import { CommandError, throwFailures } from '../../frame/failure.ts';
import { onOff, short } from '../../frame/flags.ts';
import { write } from '../../frame/io.ts';
import type { Session } from '../../frame/session.ts';
import { type DryRun, outcomeWord, WRITE_FLAGS } from '../../frame/write-flags.ts';
import { ObjectWrites } from '../../resources/object-writes.ts';
import { SELECTION_FLAGS, type SelectedObject, selectObjects } from '../../resources/selection.ts';
import { objectName } from '../../resources/served-resources.ts';
import { confirm } from './confirmation.ts';
import { DELETION_FLAGS } from './deletion-flags.ts';
import { type Deletion, deleteObject, deletionOptions, untilGone } from './deletions.ts';

const IMMEDIATE =
  'Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.\n';
const CLUSTER_SCOPED = 'Warning: deleting cluster-scoped resources, not scoped to the provided namespace\n';

export const deleteCommand = command({
  usage: 'delete ([-f FILE] | TYPE [(NAME | -l LABELS | --all)])',
  about: 'Deletes objects by file, by name, or by labels, and waits until they are gone.',
  examples: [
    ['Two objects', 'delete pod/web configmap/settings'],
    ['All pods with a label, without waiting', 'delete pods -l app=web --wait=false'],
    ['A deployment, and keep its pods', 'delete deployment web --cascade=orphan'],
  ],
  flags: {
    ...SELECTION_FLAGS,
    ...DELETION_FLAGS,
    dryRun: WRITE_FLAGS.dryRun,
    fieldSelector: optionalText('field-selector', 'SELECTOR', 'fields that the objects have'),
    now: onOff('now', false, 'as --grace-period=1'),
    wait: onOff('wait', true, 'wait until the objects are gone'),
    ignoreNotFound: onOff('ignore-not-found', false, 'what is not there is as good as deleted'),
    interactive: short('i', onOff('interactive', false, 'ask before anything is deleted')),
    output: short('o', optionalText('output', 'name', 'name: print nothing but the names')),
    raw: optionalText('raw', 'PATH', 'delete what is at this path of the plane'),
  },
  async run({ args, flags, session, isGiven }) {
    const { output, dryRun } = flags;
    if (output !== undefined && output !== 'name') {
      throw new CommandError(`unexpected -o output mode: ${output}. We only support '-o name'`);
    }
    if (flags.raw !== undefined) return deleteRaw(session, flags.raw);
    const gracePeriod = chosenGracePeriod(flags, isGiven('gracePeriod'));
    if (flags.force && gracePeriod === 0 && dryRun === 'none') await write(session.io.stderr, IMMEDIATE);
    const objects = await selectObjects(session, { ...flags, args });
    const isByChoice = flags.all || flags.selector !== undefined || flags.fieldSelector !== undefined;
    if (flags.interactive && !(await confirm(session, objects))) return;
    const writes = await ObjectWrites.of(session, { dryRun });
    const options = deletionOptions({ ...flags, gracePeriod });
    const line = deletedLine(output === 'name', gracePeriod === 0, dryRun);
    const failures: unknown[] = [];
    const deletions: Deletion[] = [];
    await warnOfScope(session, objects);
    for (const object of objects) {
      try {
        if (dryRun !== 'client') deletions.push(await deleteObject(writes, object, options));
        await write(session.io.stdout, line(object));
      } catch (error) {
        if (!((flags.ignoreNotFound || isByChoice) && isRefusal(error, 'NotFound'))) failures.push(error);
      }
    }
    if (objects.length === 0) await write(session.io.stdout, 'No resources found\n');
    throwFailures(failures);
    if (flags.wait && dryRun === 'none') await untilGone(session, writes, deletions, flags.timeout);
  },
});

interface GraceFlags {
  readonly gracePeriod: number;
  readonly now: boolean;
  readonly force: boolean;
}

function chosenGracePeriod({ gracePeriod, now, force }: GraceFlags, isGiven: boolean): number {
  if (now && isGiven && gracePeriod >= 0)
    throw new CommandError('--now and --grace-period cannot be specified together');
  const asked = now ? 1 : gracePeriod;
  if (force && asked > 0) {
    throw new CommandError('--force and --grace-period greater than 0 cannot be specified together');
  }
  if (force) return 0;
  // None at all is what --force is for: people who ask for it otherwise seldom know what they lose.
  return asked === 0 ? 1 : asked;
}

const deletedLine =
  (nameOnly: boolean, isForced: boolean, dryRun: DryRun) =>
  ({ resource, name }: SelectedObject): string => {
    if (nameOnly) return `${objectName(resource, name)}\n`;
    const kind = objectName(resource, '').slice(0, -1);
    return `${kind} ${JSON.stringify(name)} ${outcomeWord(isForced ? 'force deleted' : 'deleted', dryRun)}\n`;
  };

async function warnOfScope(session: Session, objects: readonly SelectedObject[]): Promise<void> {
  const { isGiven } = await session.namespace();
  if (isGiven && objects.some(({ resource }) => !resource.namespaced)) await write(session.io.stderr, CLUSTER_SCOPED);
}

async function deleteRaw(session: Session, target: string): Promise<void> {
  const answer = await (await session.send())({ method: 'DELETE', target });
  if (answer.status >= 400) throw refusalIn(answer.status, JSON.parse(answer.body.toString()));
  await write(session.io.stdout, answer.body);
}
