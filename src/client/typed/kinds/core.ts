import type { Binding as DeclaredBinding } from '../../../kinds/core/binding.ts';
import type { ComponentStatus as DeclaredComponentStatus } from '../../../kinds/core/component-status.ts';
import type { ConfigMap as DeclaredConfigMap } from '../../../kinds/core/config/config-map.ts';
import type { Secret as DeclaredSecret } from '../../../kinds/core/config/secret.ts';
import type { ServiceAccount as DeclaredServiceAccount } from '../../../kinds/core/config/service-account.ts';
import type { Event as DeclaredEvent } from '../../../kinds/core/event/event.ts';
import type { LimitRange as DeclaredLimitRange } from '../../../kinds/core/namespace/limit-range.ts';
import type { Namespace as DeclaredNamespace } from '../../../kinds/core/namespace/namespace.ts';
import type { ResourceQuota as DeclaredResourceQuota } from '../../../kinds/core/namespace/resource-quota.ts';
import type { Node as DeclaredNode } from '../../../kinds/core/node/node.ts';
import type { Pod as DeclaredPod } from '../../../kinds/core/pod/pod.ts';
import type { PodTemplate as DeclaredPodTemplate } from '../../../kinds/core/pod/pod-template.ts';
import type { ReplicationController as DeclaredReplicationController } from '../../../kinds/core/replication/replication-controller.ts';
import type { Endpoints as DeclaredEndpoints } from '../../../kinds/core/service/endpoints.ts';
import type { Service as DeclaredService } from '../../../kinds/core/service/service.ts';
import type { PersistentVolume as DeclaredPersistentVolume } from '../../../kinds/core/volume/persistent-volume.ts';
import type { PersistentVolumeClaim as DeclaredPersistentVolumeClaim } from '../../../kinds/core/volume/persistent-volume-claim.ts';
import { inGroup, type ObjectKind } from '../object-kind.ts';

const core = inGroup('', 'v1');

export type Binding = DeclaredBinding;
export const Binding: ObjectKind<Binding, true> = core.namespaced('Binding', 'bindings');

export type ComponentStatus = DeclaredComponentStatus;
export const ComponentStatus: ObjectKind<ComponentStatus, false> = core.clusterWide(
  'ComponentStatus',
  'componentstatuses',
);

export type ConfigMap = DeclaredConfigMap;
export const ConfigMap: ObjectKind<ConfigMap, true> = core.namespaced('ConfigMap', 'configmaps');

export type Endpoints = DeclaredEndpoints;
export const Endpoints: ObjectKind<Endpoints, true> = core.namespaced('Endpoints', 'endpoints');

export type Event = DeclaredEvent;
export const Event: ObjectKind<Event, true> = core.namespaced('Event', 'events');

export type LimitRange = DeclaredLimitRange;
export const LimitRange: ObjectKind<LimitRange, true> = core.namespaced('LimitRange', 'limitranges');

export type Namespace = DeclaredNamespace;
export const Namespace: ObjectKind<Namespace, false> = core.clusterWide('Namespace', 'namespaces');

export type Node = DeclaredNode;
export const Node: ObjectKind<Node, false> = core.clusterWide('Node', 'nodes');

export type PersistentVolumeClaim = DeclaredPersistentVolumeClaim;
export const PersistentVolumeClaim: ObjectKind<PersistentVolumeClaim, true> = core.namespaced(
  'PersistentVolumeClaim',
  'persistentvolumeclaims',
);

export type PersistentVolume = DeclaredPersistentVolume;
export const PersistentVolume: ObjectKind<PersistentVolume, false> = core.clusterWide(
  'PersistentVolume',
  'persistentvolumes',
);

export type Pod = DeclaredPod;
export const Pod: ObjectKind<Pod, true> = core.namespaced('Pod', 'pods');

export type PodTemplate = DeclaredPodTemplate;
export const PodTemplate: ObjectKind<PodTemplate, true> = core.namespaced('PodTemplate', 'podtemplates');

export type ReplicationController = DeclaredReplicationController;
export const ReplicationController: ObjectKind<ReplicationController, true> = core.namespaced(
  'ReplicationController',
  'replicationcontrollers',
);

export type ResourceQuota = DeclaredResourceQuota;
export const ResourceQuota: ObjectKind<ResourceQuota, true> = core.namespaced('ResourceQuota', 'resourcequotas');

export type Secret = DeclaredSecret;
export const Secret: ObjectKind<Secret, true> = core.namespaced('Secret', 'secrets');

export type ServiceAccount = DeclaredServiceAccount;
export const ServiceAccount: ObjectKind<ServiceAccount, true> = core.namespaced('ServiceAccount', 'serviceaccounts');

export type Service = DeclaredService;
export const Service: ObjectKind<Service, true> = core.namespaced('Service', 'services');
