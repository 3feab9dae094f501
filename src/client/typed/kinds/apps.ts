import type { ControllerRevision as DeclaredControllerRevision } from '../../../kinds/apps/controller-revision.ts';
import type { DaemonSet as DeclaredDaemonSet } from '../../../kinds/apps/daemon-set.ts';
import type { Deployment as DeclaredDeployment } from '../../../kinds/apps/deployment.ts';
import type { ReplicaSet as DeclaredReplicaSet } from '../../../kinds/apps/replica-set.ts';
import type { StatefulSet as DeclaredStatefulSet } from '../../../kinds/apps/stateful-set.ts';
import { inGroup } from '../object-kind.ts';

const apps = inGroup('apps', 'v1');

export type ControllerRevision = DeclaredControllerRevision;
export const ControllerRevision = apps.namespaced<ControllerRevision>('ControllerRevision', 'controllerrevisions');

export type DaemonSet = DeclaredDaemonSet;
export const DaemonSet = apps.namespaced<DaemonSet>('DaemonSet', 'daemonsets');

export type Deployment = DeclaredDeployment;
export const Deployment = apps.namespaced<Deployment>('Deployment', 'deployments');

export type ReplicaSet = DeclaredReplicaSet;
export const ReplicaSet = apps.namespaced<ReplicaSet>('ReplicaSet', 'replicasets');

export type StatefulSet = DeclaredStatefulSet;
export const StatefulSet = apps.namespaced<StatefulSet>('StatefulSet', 'statefulsets');
