import type { AnyObject } from '../../../client/plane-client.ts';
import type { ControllerRevision } from '../../../kinds/apps/controller-revision.ts';
import type { DaemonSet } from '../../../kinds/apps/daemon-set.ts';
import type { Deployment } from '../../../kinds/apps/deployment.ts';
import type { StatefulSet } from '../../../kinds/apps/stateful-set.ts';
import type { PodTemplateSpec } from '../../../kinds/core/pod/pod-template.ts';
import { selectorText } from '../../../kinds/printing.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import type { Plane } from '../describe/plane.ts';
import { replicaSetsOf } from './replica-sets.ts';

/** What a workload was at one time. */
export interface Revision {
  readonly number: number;
  /** '' where nobody said why. */
  readonly cause: string;
  readonly template: PodTemplateSpec;
  /** What holds it: a replica set, or a record of a controller. */
  readonly holder: AnyObject;
}

/** The revisions of a workload that are still there, the oldest first. */
export async function revisionsOf(plane: Plane, workload: AnyObject, vocabulary: Vocabulary): Promise<Revision[]> {
  const found =
    workload.kind === 'Deployment'
      ? await deploymentRevisions(plane, workload as Deployment, vocabulary)
      : await recordedRevisions(plane, workload as DaemonSet | StatefulSet, vocabulary);
  return found.sort((a, b) => a.number - b.number);
}

async function deploymentRevisions(
  plane: Plane,
  deployment: Deployment,
  { annotations }: Vocabulary,
): Promise<Revision[]> {
  const sets = await replicaSetsOf(plane, deployment);
  return sets.flatMap((holder) => {
    const { annotations: notes = {} } = holder.metadata;
    const number = Number(notes[annotations.deploymentRevision]);
    if (!Number.isInteger(number)) return [];
    return [{ number, cause: notes[annotations.changeCause] ?? '', template: holder.spec.template, holder }];
  });
}

async function recordedRevisions(
  plane: Plane,
  { metadata, spec }: DaemonSet | StatefulSet,
  { annotations }: Vocabulary,
): Promise<Revision[]> {
  const labelSelector = selectorText(spec.selector) ?? '';
  const records = await plane.list<ControllerRevision>('apps', 'controllerrevisions', metadata.namespace ?? '', {
    labelSelector,
  });
  return records
    .filter((one) => one.metadata.ownerReferences?.some((owner) => owner.controller && owner.uid === metadata.uid))
    .map((holder) => ({
      number: holder.revision,
      cause: holder.metadata.annotations?.[annotations.changeCause] ?? '',
      template: recordedTemplate(holder),
      holder,
    }));
}

/** What a record says about pods, which is kept as a patch. */
function recordedTemplate({ data }: ControllerRevision): PodTemplateSpec {
  const { spec } = data as unknown as { readonly spec?: { readonly template?: Record<string, unknown> } };
  const { $patch: _, ...template } = spec?.template ?? {};
  return { metadata: {}, spec: { containers: [] }, ...template } as unknown as PodTemplateSpec;
}
