import type { ControllerRevision as DeclaredControllerRevision } from '../../../kinds/apps/controller-revision.ts';
import type { DaemonSet as DeclaredDaemonSet } from '../../../kinds/apps/daemon-set.ts';
import type { Deployment as DeclaredDeployment } from '../../../kinds/apps/deployment.ts';
import type { ReplicaSet as DeclaredReplicaSet } from '../../../kinds/apps/replica-set.ts';
import type { StatefulSet as DeclaredStatefulSet } from '../../../kinds/apps/stateful-set.ts';
import { inGroup, type ObjectKind } from '../object-kind.ts';

const apps = inGroup('apps', 'v1');

export type ControllerRevision = DeclaredControllerRevision;
export const ControllerRevision: ObjectKind<ControllerRevision, true> = apps.namespaced(
  'ControllerRevision',
  'controllerrevisions',
);

export type DaemonSet = DeclaredDaemonSet;
export const DaemonSet: ObjectKind<DaemonSet, true> = apps.namespaced('DaemonSet', 'daemonsets');

export type Deployment = DeclaredDeployment;
export const Deployment: ObjectKind<Deployment, true> = apps.namespaced('Deployment', 'deployments');

export type ReplicaSet = DeclaredReplicaSet;
export const ReplicaSet: ObjectKind<ReplicaSet, true> = apps.namespaced('ReplicaSet', 'replicasets');

export type StatefulSet = DeclaredStatefulSet;
export const StatefulSet: ObjectKind<StatefulSet, true> = apps.namespaced('StatefulSet', 'statefulsets');
