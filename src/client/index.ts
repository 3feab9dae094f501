/// <reference types="node" preserve="true" />

/** `platform-apiserver/client`: a plane for programs. It shares no code with the server but declarations of names. */

export { ApiError, type Cause, type Details, type Reason, type StatusMetadata } from '../api/errors.ts';
export type { Connection } from '../outbound/config.ts';
export type { Runtime, Timer } from '../runtime/runtime.ts';
export type { Draft } from '../schema/draft.ts';
export type { Vocabulary, VocabularyName } from '../vocabulary/vocabulary.ts';
export { fromKey, keyOf } from './controlling/keys.ts';
export type { Controller, KeyQueue } from './controlling/reconciler.ts';
export { type ControllerOptions, type ControllerWatch, watching } from './controlling/run-controller.ts';
export { NotYet, WorkQueue, type WorkQueueOptions } from './controlling/work-queue.ts';
export type { Discovered } from './discovery.ts';
export type { Change, ChangeHandlers } from './informing/changes.ts';
export type { Informer } from './informing/informer.ts';
export type { ObjectStore } from './informing/object-store.ts';
export { DeadlineExceeded } from './informing/until.ts';
export type { Leadership } from './leading/leadership.ts';
export { NO_ANSWER } from './no-answer.ts';
export {
  type AnyObject,
  type DeletionOptions,
  isRefusal,
  type ListedObjects,
  type PlaneAnswer,
  type PlaneRequest,
} from './plane-client.ts';
export type { ApplyOptions, GetOptions, RequestOptions, Selection, Selector, WriteOptions } from './request-options.ts';
export type { NamedKind, ServedKind } from './served-kind.ts';
export type { LogOptions } from './streams/pod-streams.ts';
export type { ForwardedConnection, PortForwarder } from './streams/port-forwarder.ts';
export type { LocalStreams, ProcessExit, TerminalSize } from './streams/remote-process.ts';
export type { ApplyConflict, ApplyOutcome } from './typed/apply-outcome.ts';
export type { Client, UntypedClient, UntypedObject } from './typed/client.ts';
export type { CollectionClient, FollowOptions, ListOptions } from './typed/collection-client.ts';
export { type ConnectOptions, connect } from './typed/connect.ts';
export type { Input, JsonPatchStep, MergePatch, Patch, StrategicPatch } from './typed/input.ts';
export {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from './typed/kinds/admissionregistration.ts';
export { CustomResourceDefinition } from './typed/kinds/apiextensions.ts';
export { APIService } from './typed/kinds/apiregistration.ts';
export { StorageVersion } from './typed/kinds/apiserverinternal.ts';
export { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet } from './typed/kinds/apps.ts';
export { SelfSubjectReview, TokenReview } from './typed/kinds/authentication.ts';
export {
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
} from './typed/kinds/authorization.ts';
export {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerV1,
  HorizontalPodAutoscalerV2beta2,
} from './typed/kinds/autoscaling.ts';
export { CronJob, Job } from './typed/kinds/batch.ts';
export { CertificateSigningRequest } from './typed/kinds/certificates.ts';
export { Lease } from './typed/kinds/coordination.ts';
export {
  Binding,
  ComponentStatus,
  ConfigMap,
  Endpoints,
  Event,
  LimitRange,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodTemplate,
  ReplicationController,
  ResourceQuota,
  Secret,
  Service,
  ServiceAccount,
} from './typed/kinds/core.ts';
export { EndpointSlice } from './typed/kinds/discovery.ts';
export { EventsEvent } from './typed/kinds/events.ts';
export {
  AccessExplanation,
  AdmissionExplanation,
  ApplyPreview,
  DeletionReview,
  Denial,
  FlowReview,
  ObjectDiff,
  ObjectHistory,
  ObjectRestore,
  OwnershipReview,
  PlaneFigures,
  RememberedRequest,
  SubjectRulesReview,
  WhoCanReview,
  WriteActivity,
} from './typed/kinds/explain.ts';
export {
  FlowSchema,
  FlowSchemaV1beta1,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationV1beta1,
} from './typed/kinds/flowcontrol.ts';
export { ClusterCIDR, Ingress, IngressClass, NetworkPolicy } from './typed/kinds/networking.ts';
export { RuntimeClass } from './typed/kinds/node.ts';
export { PodDisruptionBudget } from './typed/kinds/policy.ts';
export { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from './typed/kinds/rbac.ts';
export { PriorityClass } from './typed/kinds/scheduling.ts';
export {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  CSIStorageCapacityV1beta1,
  StorageClass,
  VolumeAttachment,
} from './typed/kinds/storage.ts';
export { customKind, type KindNames, type KindReference, type ObjectKind, type ObjectOf } from './typed/object-kind.ts';
export type { NamespacedClient, ObjectsClient } from './typed/objects-client.ts';
export type { SubresourceClient } from './typed/subresource-client.ts';
export type { WatchEvent, WatchOptions } from './typed/watch-events.ts';
