import type { AnyObject } from '../../../client/plane-client.ts';
import type { ControllerRevision } from '../../../kinds/apps/controller-revision.ts';
import type { Deployment } from '../../../kinds/apps/deployment.ts';
import { sameJson } from '../../../schema/same-json.ts';
import { integer } from '../../../settings/flag.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import { Plane } from '../describe/plane.ts';
import { command } from '../frame/command.ts';
import { CommandError } from '../frame/failure.ts';
import { type DryRun, WRITE_FLAGS } from '../frame/write-flags.ts';
import { OUTPUT_FLAGS } from '../print/output-flags.ts';
import { eachWritten, type Written } from '../resources/each-written.ts';
import { ObjectWrites } from '../resources/object-writes.ts';
import { withoutHash } from '../rollout/replica-sets.ts';
import { type Revision, revisionsOf } from '../rollout/revisions.ts';
import { isRolledOut, live, ROLLOUT_FLAGS, rolloutObjects } from '../rollout/selection.ts';
import { templateText } from '../rollout/template-text.ts';

const MANAGER = 'platformctl-rollout';

export const rolloutUndo = command({
  usage: 'rollout undo (TYPE NAME | TYPE/NAME)',
  about: 'Makes a workload what it was in an earlier revision: the last but one, unless another is named.',
  examples: [
    ['Go back by one revision', 'rollout undo deployment/web'],
    ['Go back to the third', 'rollout undo daemonset/agent --to-revision=3'],
  ],
  flags: {
    ...ROLLOUT_FLAGS,
    ...OUTPUT_FLAGS,
    dryRun: WRITE_FLAGS.dryRun,
    toRevision: integer('to-revision', 0, 2 ** 31 - 1, 0, 'the revision to go back to; 0 for the last but one'),
  },
  async run({ args, flags, session }) {
    const objects = await rolloutObjects(session, args, flags);
    const vocabulary = await session.vocabulary();
    const plane = new Plane(await session.client(), await session.resources());
    const writes = await ObjectWrites.of(session, { dryRun: flags.dryRun, fieldManager: MANAGER });
    await eachWritten(session, objects, flags, 'rolling back', async (object) => {
      const { resource } = object;
      if (!isRolledOut(object)) {
        const kind = `${resource.group} ${resource.kind}`;
        throw new CommandError(
          `error retrieving rollbacker for "${resource.kind}", no visitor method exists for {${kind}}`,
        );
      }
      const workload = await live(session, object);
      const revisions = await revisionsOf(plane, workload, vocabulary);
      const chosen = chooseRevision(workload, revisions, flags.toRevision);
      const patch = (document: unknown) =>
        writes.patch(
          { kind: resource, namespace: object.namespace, name: object.name },
          resource.kind === 'Deployment' ? 'json' : 'strategic',
          document,
        );
      return undo(workload, chosen, flags.dryRun, vocabulary, patch);
    });
  },
});

/** The revision to go back to. */
function chooseRevision(workload: AnyObject, revisions: readonly Revision[], wanted: number): Revision {
  if (wanted > 0) {
    const found = revisions.find(({ number }) => number === wanted);
    if (!found) throw new CommandError(`unable to find specified revision ${wanted} in history`);
    return found;
  }
  const before = revisions.at(-2);
  if (before) return before;
  throw new CommandError(
    workload.kind === 'Deployment'
      ? `no rollout history found for deployment "${workload.metadata.name}"`
      : 'no last revision to roll back to',
  );
}

async function undo(
  workload: AnyObject,
  revision: Revision,
  dryRun: DryRun,
  vocabulary: Vocabulary,
  patch: (document: unknown) => Promise<AnyObject>,
): Promise<Written> {
  if (dryRun === 'client') {
    return { object: workload, done: `${templateText(revision.template, vocabulary)} (dry run)` };
  }
  const { spec } = workload as Deployment;
  if (workload.kind === 'Deployment' && spec.paused) {
    throw new CommandError(
      "you cannot rollback a paused deployment; resume it first with 'platformctl rollout resume' and try again",
    );
  }
  if (sameJson(withoutHash(spec.template), withoutHash(revision.template))) {
    return {
      object: workload,
      done: `skipped rollback (current template already matches revision ${revision.number})`,
    };
  }
  const document =
    workload.kind === 'Deployment'
      ? deploymentPatch(workload as Deployment, revision, vocabulary)
      : (revision.holder as ControllerRevision).data;
  return { object: await patch(document), done: dryRun === 'server' ? 'rolled back (server dry run)' : 'rolled back' };
}

/** The template of a revision, and the annotations that it had; those of the rollout itself stay as they are. */
function deploymentPatch(
  { metadata }: Deployment,
  { template, holder }: Revision,
  { annotations }: Vocabulary,
): object[] {
  const ownKeys: ReadonlySet<string> = new Set([
    annotations.lastAppliedConfiguration,
    annotations.deploymentRevision,
    annotations.deploymentRevisionHistory,
    annotations.deploymentDesiredReplicas,
    annotations.deploymentMaxReplicas,
  ]);
  const kept = Object.entries(metadata.annotations ?? {}).filter(([key]) => ownKeys.has(key));
  const before = Object.entries(holder.metadata.annotations ?? {}).filter(([key]) => !ownKeys.has(key));
  return [
    { op: 'replace', path: '/spec/template', value: withoutHash(template) },
    {
      op: metadata.annotations ? 'replace' : 'add',
      path: '/metadata/annotations',
      value: Object.fromEntries([...kept, ...before]),
    },
  ];
}
