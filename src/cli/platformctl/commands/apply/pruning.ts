import { type AnyObject, unless } from '../../../../client/plane-client.ts';
import { CommandError } from '../../frame/failure.ts';
import type { Session } from '../../frame/session.ts';
import { type DryRun, outcomeWord } from '../../frame/write-flags.ts';
import { lastApplied } from '../../manifests/last-applied.ts';
import type { OutputFlags } from '../../print/output-flags.ts';
import { printOutcome } from '../../print/print-objects.ts';
import type { Written } from '../../resources/each-written.ts';
import { ObjectWrites } from '../../resources/object-writes.ts';
import { allOf, type SelectedObject } from '../../resources/selection.ts';
import type { ServedResource, ServedResources } from '../../resources/served-resources.ts';
import type { DeletionFlags } from '../delete/deletion-flags.ts';
import { deletionOptions } from '../delete/deletions.ts';

export interface PruneFlags extends DeletionFlags, OutputFlags {
  readonly dryRun: DryRun;
  readonly selector: string | undefined;
  readonly pruneAllowlist: readonly string[];
  readonly fieldManager: string | undefined;
}

/** Kinds that are pruned unless the line names others. */
const KINDS: readonly (readonly [group: 'core' | 'apps' | 'batch' | 'networking', kind: string])[] = [
  ['core', 'ConfigMap'],
  ['core', 'Endpoints'],
  ['core', 'PersistentVolumeClaim'],
  ['core', 'Pod'],
  ['core', 'ReplicationController'],
  ['core', 'Secret'],
  ['core', 'Service'],
  ['batch', 'Job'],
  ['batch', 'CronJob'],
  ['networking', 'Ingress'],
  ['apps', 'DaemonSet'],
  ['apps', 'Deployment'],
  ['apps', 'ReplicaSet'],
  ['apps', 'StatefulSet'],
];

/** Deletes what was applied before, matches, and was not applied now. */
export async function prune(
  session: Session,
  flags: PruneFlags,
  objects: readonly SelectedObject[],
  written: readonly Written[],
): Promise<void> {
  const [resources, client, vocabulary] = await Promise.all([
    session.resources(),
    session.client(),
    session.vocabulary(),
  ]);
  const kept = new Set(written.map(({ object }) => (object as AnyObject).metadata.uid));
  const namespaces = new Set(objects.map(({ namespace }) => namespace).filter((namespace) => namespace !== ''));
  if (namespaces.size === 0) namespaces.add((await session.namespace()).name);
  const options = flags.selector === undefined ? {} : { labelSelector: flags.selector };
  const manager = flags.fieldManager ?? 'platformctl';
  for (const resource of prunedResources(flags.pruneAllowlist, resources, vocabulary.groups.networking)) {
    for (const namespace of resource.namespaced ? namespaces : ['']) {
      for await (const object of allOf(client, resource, namespace, options)) {
        const wasApplied = lastApplied(object, vocabulary) !== undefined || isAppliedBy(object, manager);
        if (wasApplied && !kept.has(object.metadata.uid)) await pruneObject(session, flags, resource, object);
      }
    }
  }
}

/** What the plane merged has no annotation, and says who applied it. */
const isAppliedBy = ({ metadata }: AnyObject, manager: string): boolean =>
  metadata.managedFields?.some((entry) => entry.manager === manager && entry.operation === 'Apply') ?? false;

function prunedResources(allowed: readonly string[], resources: ServedResources, networking: string): ServedResource[] {
  if (allowed.length > 0) return allowed.map((text) => allowedResource(text, resources));
  const groups = { core: '', apps: 'apps', batch: 'batch', networking };
  return KINDS.flatMap(([group, kind]) =>
    resources.preferred().filter((one) => one.group === groups[group] && one.kind === kind),
  );
}

function allowedResource(text: string, resources: ServedResources): ServedResource {
  const [group = '', version = '', kind = '', ...more] = text.split('/');
  if (kind === '' || more.length > 0)
    throw new CommandError(`invalid GroupVersionKind format: ${text}, please follow <group/version/kind>`);
  return resources.ofKind(group === 'core' || group === '' ? version : `${group}/${version}`, kind);
}

/** Deletes an object that belongs to what was applied before. */
export async function pruneObject(
  session: Session,
  flags: Omit<PruneFlags, 'selector' | 'pruneAllowlist' | 'fieldManager'>,
  kind: ServedResource,
  object: AnyObject,
): Promise<void> {
  const { name = '', namespace = '' } = object.metadata;
  if (flags.dryRun !== 'client') {
    const writes = await ObjectWrites.of(session, { dryRun: flags.dryRun });
    await writes.delete({ kind, namespace, name }, deletionOptions(flags)).catch(unless('NotFound'));
  }
  await printOutcome(session, object, outcomeWord('pruned', flags.dryRun), flags);
}
