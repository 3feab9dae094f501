import type { Column } from '../../registry/resource-type.ts';
import { ageColumn, integer, nameColumn, text, wide } from '../columns.ts';
import { templateColumns } from '../core/pod/pod-template-columns.ts';
import { labels, NONE, selector, selectorText } from '../printing.ts';
import type { ControllerRevision } from './controller-revision.ts';
import type { DaemonSet } from './daemon-set.ts';
import type { Deployment } from './deployment.ts';
import type { ReplicaSet } from './replica-set.ts';
import type { StatefulSet } from './stateful-set.ts';

const selectorDescription = 'Labels of the pods that count.';

export const deploymentColumns: readonly Column<Deployment>[] = [
  nameColumn,
  text('Ready', 'Pods that are ready, of those wanted.', readyReplicas),
  text('Up-to-date', 'Pods made from the present template.', ({ status }) => status.updatedReplicas ?? 0),
  text('Available', 'Pods that have been ready for long enough.', ({ status }) => status.availableReplicas ?? 0),
  ageColumn,
  ...templateColumns<Deployment>(({ spec }) => spec.template),
  wide(text('Selector', selectorDescription, ({ spec }) => selectorText(spec.selector) ?? '<invalid>')),
];

export const replicaSetColumns: readonly Column<ReplicaSet>[] = [
  nameColumn,
  integer('Desired', 'Pods wanted.', ({ spec }) => spec.replicas ?? 0),
  integer('Current', 'Pods that exist.', ({ status }) => status.replicas),
  integer('Ready', 'Pods that are ready.', ({ status }) => status.readyReplicas ?? 0),
  ageColumn,
  ...templateColumns<ReplicaSet>(({ spec }) => spec.template),
  wide(text('Selector', selectorDescription, ({ spec }) => selector(spec.selector))),
];

export const daemonSetColumns: readonly Column<DaemonSet>[] = [
  nameColumn,
  integer('Desired', 'Nodes that should run a pod.', ({ status }) => status.desiredNumberScheduled),
  integer('Current', 'Nodes that run one.', ({ status }) => status.currentNumberScheduled),
  integer('Ready', 'Nodes whose pod is ready.', ({ status }) => status.numberReady),
  integer(
    'Up-to-date',
    'Nodes whose pod has the present template.',
    ({ status }) => status.updatedNumberScheduled ?? 0,
  ),
  integer('Available', 'Nodes whose pod has been ready for long enough.', ({ status }) => status.numberAvailable ?? 0),
  text('Node Selector', 'Labels of the nodes to run on.', ({ spec }) => labels(spec.template.spec.nodeSelector)),
  ageColumn,
  ...templateColumns<DaemonSet>(({ spec }) => spec.template),
  wide(text('Selector', selectorDescription, ({ spec }) => selector(spec.selector))),
];

export const statefulSetColumns: readonly Column<StatefulSet>[] = [
  nameColumn,
  text('Ready', 'Pods that are ready, of those wanted.', readyReplicas),
  ageColumn,
  ...templateColumns<StatefulSet>(({ spec }) => spec.template),
];

export const controllerRevisionColumns: readonly Column<ControllerRevision>[] = [
  nameColumn,
  text('Controller', 'The object whose history this is.', controller),
  text('Revision', 'Position in that history.', ({ revision }) => revision),
  ageColumn,
];

function readyReplicas({ spec, status }: Deployment | StatefulSet): string {
  return `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`;
}

function controller({ metadata }: ControllerRevision): string {
  const owner = metadata.ownerReferences?.find((reference) => reference.controller);
  if (!owner) return NONE;
  const slash = owner.apiVersion.indexOf('/');
  const group = slash < 0 ? '' : `.${owner.apiVersion.slice(0, slash)}`;
  const kind = `${owner.kind}${group}`.toLowerCase();
  return `${kind}/${owner.name}`;
}
