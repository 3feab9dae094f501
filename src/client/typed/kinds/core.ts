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
import { inGroup } from '../object-kind.ts';

const core = inGroup('', 'v1');

export type Binding = DeclaredBinding;
export const Binding = core.namespaced<Binding>('Binding', 'bindings');

export type ComponentStatus = DeclaredComponentStatus;
export const ComponentStatus = core.clusterWide<ComponentStatus>('ComponentStatus', 'componentstatuses');

export type ConfigMap = DeclaredConfigMap;
export const ConfigMap = core.namespaced<ConfigMap>('ConfigMap', 'configmaps');

export type Endpoints = DeclaredEndpoints;
export const Endpoints = core.namespaced<Endpoints>('Endpoints', 'endpoints');

export type Event = DeclaredEvent;
export const Event = core.namespaced<Event>('Event', 'events');

export type LimitRange = DeclaredLimitRange;
export const LimitRange = core.namespaced<LimitRange>('LimitRange', 'limitranges');

export type Namespace = DeclaredNamespace;
export const Namespace = core.clusterWide<Namespace>('Namespace', 'namespaces');

export type Node = DeclaredNode;
export const Node = core.clusterWide<Node>('Node', 'nodes');

export type PersistentVolumeClaim = DeclaredPersistentVolumeClaim;
export const PersistentVolumeClaim = core.namespaced<PersistentVolumeClaim>(
  'PersistentVolumeClaim',
  'persistentvolumeclaims',
);

export type PersistentVolume = DeclaredPersistentVolume;
export const PersistentVolume = core.clusterWide<PersistentVolume>('PersistentVolume', 'persistentvolumes');

export type Pod = DeclaredPod;
export const Pod = core.namespaced<Pod>('Pod', 'pods');

export type PodTemplate = DeclaredPodTemplate;
export const PodTemplate = core.namespaced<PodTemplate>('PodTemplate', 'podtemplates');

export type ReplicationController = DeclaredReplicationController;
export const ReplicationController = core.namespaced<ReplicationController>(
  'ReplicationController',
  'replicationcontrollers',
);

export type ResourceQuota = DeclaredResourceQuota;
export const ResourceQuota = core.namespaced<ResourceQuota>('ResourceQuota', 'resourcequotas');

export type Secret = DeclaredSecret;
export const Secret = core.namespaced<Secret>('Secret', 'secrets');

export type ServiceAccount = DeclaredServiceAccount;
export const ServiceAccount = core.namespaced<ServiceAccount>('ServiceAccount', 'serviceaccounts');

export type Service = DeclaredService;
export const Service = core.namespaced<Service>('Service', 'services');
