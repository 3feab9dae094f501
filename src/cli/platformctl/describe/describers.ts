import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import type { Describer } from './subject.ts';

/** How a kind is described, in the version that its description reads. */
export interface DescriberRow {
  readonly version: string;
  load(): Promise<Describer>;
}

const row = (load: () => Promise<Describer>, version = 'v1'): DescriberRow => ({ version, load });

const CORE: Readonly<Record<string, DescriberRow>> = {
  ConfigMap: row(async () => (await import('./configuration.ts')).configMap),
  Endpoints: row(async () => (await import('./services.ts')).endpoints),
  LimitRange: row(async () => (await import('./quotas.ts')).limitRange),
  Namespace: row(async () => (await import('./quotas.ts')).namespace),
  Node: row(async () => (await import('./nodes.ts')).node),
  PersistentVolume: row(async () => (await import('./storage.ts')).persistentVolume),
  PersistentVolumeClaim: row(async () => (await import('./storage.ts')).persistentVolumeClaim),
  Pod: row(async () => (await import('./pods.ts')).pod),
  ReplicationController: row(async () => (await import('./workloads.ts')).replicationController),
  ResourceQuota: row(async () => (await import('./quotas.ts')).resourceQuota),
  Secret: row(async () => (await import('./configuration.ts')).secret),
  Service: row(async () => (await import('./services.ts')).service),
  ServiceAccount: row(async () => (await import('./access.ts')).serviceAccount),
};

const APPS: Readonly<Record<string, DescriberRow>> = {
  DaemonSet: row(async () => (await import('./workloads.ts')).daemonSet),
  Deployment: row(async () => (await import('./workloads.ts')).deployment),
  ReplicaSet: row(async () => (await import('./workloads.ts')).replicaSet),
  StatefulSet: row(async () => (await import('./workloads.ts')).statefulSet),
};

const BATCH: Readonly<Record<string, DescriberRow>> = {
  CronJob: row(async () => (await import('./jobs.ts')).cronJob),
  Job: row(async () => (await import('./jobs.ts')).job),
};

const NETWORKING: Readonly<Record<string, DescriberRow>> = {
  Ingress: row(async () => (await import('./ingresses.ts')).ingress),
  IngressClass: row(async () => (await import('./ingresses.ts')).ingressClass),
  NetworkPolicy: row(async () => (await import('./network-policies.ts')).networkPolicy),
};

const ACCESS: Readonly<Record<string, DescriberRow>> = {
  ClusterRole: row(async () => (await import('./access.ts')).role),
  ClusterRoleBinding: row(async () => (await import('./access.ts')).roleBinding),
  Role: row(async () => (await import('./access.ts')).role),
  RoleBinding: row(async () => (await import('./access.ts')).roleBinding),
};

const STORAGE: Readonly<Record<string, DescriberRow>> = {
  CSINode: row(async () => (await import('./storage.ts')).csiNode),
  StorageClass: row(async () => (await import('./storage.ts')).storageClass),
};

/** The description that a kind has of its own; undefined where it is described as any object is. */
export function describerRow({ groups }: Vocabulary, group: string, kind: string): DescriberRow | undefined {
  const byGroup: Readonly<Record<string, Readonly<Record<string, DescriberRow>>>> = {
    '': CORE,
    apps: APPS,
    autoscaling: {
      HorizontalPodAutoscaler: row(async () => (await import('./autoscaling.ts')).horizontalPodAutoscaler, 'v2'),
    },
    batch: BATCH,
    policy: { PodDisruptionBudget: row(async () => (await import('./scheduling.ts')).podDisruptionBudget) },
    [groups.certificates]: {
      CertificateSigningRequest: row(async () => (await import('./certificates.ts')).certificateSigningRequest),
    },
    [groups.discovery]: { EndpointSlice: row(async () => (await import('./services.ts')).endpointSlice) },
    [groups.networking]: NETWORKING,
    [groups.rbac]: ACCESS,
    [groups.scheduling]: { PriorityClass: row(async () => (await import('./scheduling.ts')).priorityClass) },
    [groups.storage]: STORAGE,
  };
  const kinds = Object.hasOwn(byGroup, group) ? byGroup[group] : undefined;
  return kinds && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
}
