/** The type of every kind is the one that the server declares: the type checker fails for each line that is wrong. */

import type { MutatingWebhookConfiguration as DeclaredMutatingWebhookConfiguration } from '../../../kinds/admissionregistration/mutating-webhook-configuration.ts';
import type {
  MutatingAdmissionPolicy as DeclaredMutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding as DeclaredMutatingAdmissionPolicyBinding,
} from '../../../kinds/admissionregistration/policy/mutating-admission-policy.ts';
import type { ValidatingAdmissionPolicy as DeclaredValidatingAdmissionPolicy } from '../../../kinds/admissionregistration/policy/validating-admission-policy.ts';
import type { ValidatingAdmissionPolicyBinding as DeclaredValidatingAdmissionPolicyBinding } from '../../../kinds/admissionregistration/policy/validating-admission-policy-binding.ts';
import type { ValidatingWebhookConfiguration as DeclaredValidatingWebhookConfiguration } from '../../../kinds/admissionregistration/validating-webhook-configuration.ts';
import type { customResourceDefinition } from '../../../kinds/apiextensions/custom-resource-definition.ts';
import type { APIService as DeclaredAPIService } from '../../../kinds/apiregistration/api-service.ts';
import type { StorageVersion as DeclaredStorageVersion } from '../../../kinds/apiserverinternal/storage-version.ts';
import type { ControllerRevision as DeclaredControllerRevision } from '../../../kinds/apps/controller-revision.ts';
import type { DaemonSet as DeclaredDaemonSet } from '../../../kinds/apps/daemon-set.ts';
import type { Deployment as DeclaredDeployment } from '../../../kinds/apps/deployment.ts';
import type { ReplicaSet as DeclaredReplicaSet } from '../../../kinds/apps/replica-set.ts';
import type { StatefulSet as DeclaredStatefulSet } from '../../../kinds/apps/stateful-set.ts';
import type { TokenReview as DeclaredTokenReview } from '../../../kinds/authentication/v1/token-review.ts';
import type { SelfSubjectReview as DeclaredSelfSubjectReview } from '../../../kinds/authentication/v1alpha1/self-subject-review.ts';
import type { LocalSubjectAccessReview as DeclaredLocalSubjectAccessReview } from '../../../kinds/authorization/v1/local-subject-access-review.ts';
import type { SelfSubjectAccessReview as DeclaredSelfSubjectAccessReview } from '../../../kinds/authorization/v1/self-subject-access-review.ts';
import type { SelfSubjectRulesReview as DeclaredSelfSubjectRulesReview } from '../../../kinds/authorization/v1/self-subject-rules-review.ts';
import type { SubjectAccessReview as DeclaredSubjectAccessReview } from '../../../kinds/authorization/v1/subject-access-review.ts';
import type { HorizontalPodAutoscaler as DeclaredHorizontalPodAutoscalerV1 } from '../../../kinds/autoscaling/v1/horizontal-pod-autoscaler.ts';
import type { HorizontalPodAutoscaler as DeclaredHorizontalPodAutoscaler } from '../../../kinds/autoscaling/v2/horizontal-pod-autoscaler.ts';
import type { HorizontalPodAutoscaler as DeclaredHorizontalPodAutoscalerV2beta2 } from '../../../kinds/autoscaling/v2beta2/horizontal-pod-autoscaler.ts';
import type { CronJob as DeclaredCronJob } from '../../../kinds/batch/cron-job.ts';
import type { Job as DeclaredJob } from '../../../kinds/batch/job.ts';
import type { CertificateSigningRequest as DeclaredCertificateSigningRequest } from '../../../kinds/certificates/certificate-signing-request.ts';
import type { Lease as DeclaredLease } from '../../../kinds/coordination/lease.ts';
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
import type { EndpointSlice as DeclaredEndpointSlice } from '../../../kinds/discovery/endpoint-slice.ts';
import type { Event as DeclaredEventsEvent } from '../../../kinds/events/event.ts';
import type { AccessExplanation as DeclaredAccessExplanation } from '../../../kinds/explain/access-explanation.ts';
import type { AdmissionExplanation as DeclaredAdmissionExplanation } from '../../../kinds/explain/admission-explanation.ts';
import type { ApplyPreview as DeclaredApplyPreview } from '../../../kinds/explain/apply-preview.ts';
import type { DeletionReview as DeclaredDeletionReview } from '../../../kinds/explain/deletion-review.ts';
import type { Denial as DeclaredDenial } from '../../../kinds/explain/denial.ts';
import type { FlowReview as DeclaredFlowReview } from '../../../kinds/explain/flow-review.ts';
import type { ObjectDiff as DeclaredObjectDiff } from '../../../kinds/explain/object-diff.ts';
import type { ObjectHistory as DeclaredObjectHistory } from '../../../kinds/explain/object-history.ts';
import type { ObjectRestore as DeclaredObjectRestore } from '../../../kinds/explain/object-restore.ts';
import type { OwnershipReview as DeclaredOwnershipReview } from '../../../kinds/explain/ownership-review.ts';
import type { PlaneFigures as DeclaredPlaneFigures } from '../../../kinds/explain/plane-figures.ts';
import type { RememberedRequest as DeclaredRememberedRequest } from '../../../kinds/explain/request.ts';
import type { SubjectRulesReview as DeclaredSubjectRulesReview } from '../../../kinds/explain/subject-rules-review.ts';
import type { WhoCanReview as DeclaredWhoCanReview } from '../../../kinds/explain/who-can-review.ts';
import type { WriteActivity as DeclaredWriteActivity } from '../../../kinds/explain/write-activity.ts';
import type { FlowSchema as DeclaredFlowSchemaV1beta1 } from '../../../kinds/flowcontrol/v1beta1/flow-schema.ts';
import type { PriorityLevelConfiguration as DeclaredPriorityLevelConfigurationV1beta1 } from '../../../kinds/flowcontrol/v1beta1/priority-level-configuration.ts';
import type { FlowSchema as DeclaredFlowSchema } from '../../../kinds/flowcontrol/v1beta2/flow-schema.ts';
import type { PriorityLevelConfiguration as DeclaredPriorityLevelConfiguration } from '../../../kinds/flowcontrol/v1beta2/priority-level-configuration.ts';
import type { Ingress as DeclaredIngress } from '../../../kinds/networking/ingress.ts';
import type { IngressClass as DeclaredIngressClass } from '../../../kinds/networking/ingress-class.ts';
import type { NetworkPolicy as DeclaredNetworkPolicy } from '../../../kinds/networking/network-policy.ts';
import type { ClusterCIDR as DeclaredClusterCIDR } from '../../../kinds/networking/v1alpha1/cluster-cidr.ts';
import type { RuntimeClass as DeclaredRuntimeClass } from '../../../kinds/node/runtime-class.ts';
import type { PodDisruptionBudget as DeclaredPodDisruptionBudget } from '../../../kinds/policy/v1/pod-disruption-budget.ts';
import type { ClusterRole as DeclaredClusterRole } from '../../../kinds/rbac/cluster-role.ts';
import type { ClusterRoleBinding as DeclaredClusterRoleBinding } from '../../../kinds/rbac/cluster-role-binding.ts';
import type { Role as DeclaredRole } from '../../../kinds/rbac/role.ts';
import type { RoleBinding as DeclaredRoleBinding } from '../../../kinds/rbac/role-binding.ts';
import type { PriorityClass as DeclaredPriorityClass } from '../../../kinds/scheduling/priority-class.ts';
import type { CSIDriver as DeclaredCSIDriver } from '../../../kinds/storage/v1/csi-driver.ts';
import type { CSINode as DeclaredCSINode } from '../../../kinds/storage/v1/csi-node.ts';
import type { CSIStorageCapacity as DeclaredCSIStorageCapacity } from '../../../kinds/storage/v1/csi-storage-capacity.ts';
import type { StorageClass as DeclaredStorageClass } from '../../../kinds/storage/v1/storage-class.ts';
import type { VolumeAttachment as DeclaredVolumeAttachment } from '../../../kinds/storage/v1/volume-attachment.ts';
import type { CSIStorageCapacity as DeclaredCSIStorageCapacityV1beta1 } from '../../../kinds/storage/v1beta1/csi-storage-capacity.ts';
import type { Infer } from '../../../schema/schema.ts';
import type { ObjectOf } from '../object-kind.ts';
import type * as admissionregistration from './admissionregistration.ts';
import type * as apiextensions from './apiextensions.ts';
import type * as apiregistration from './apiregistration.ts';
import type * as apiserverinternal from './apiserverinternal.ts';
import type * as apps from './apps.ts';
import type * as authentication from './authentication.ts';
import type * as authorization from './authorization.ts';
import type * as autoscaling from './autoscaling.ts';
import type * as batch from './batch.ts';
import type * as certificates from './certificates.ts';
import type * as coordination from './coordination.ts';
import type * as core from './core.ts';
import type * as discovery from './discovery.ts';
import type * as events from './events.ts';
import type * as explain from './explain.ts';
import type * as flowcontrol from './flowcontrol.ts';
import type * as networking from './networking.ts';
import type * as node from './node.ts';
import type * as policy from './policy.ts';
import type * as rbac from './rbac.ts';
import type * as scheduling from './scheduling.ts';
import type * as storage from './storage.ts';

/** Fails to compile unless both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : never;
const same = <A, B>(_: Same<A, B>): void => {};

same<ObjectOf<typeof core.Binding>, Infer<typeof DeclaredBinding>>(true);
same<ObjectOf<typeof core.ComponentStatus>, Infer<typeof DeclaredComponentStatus>>(true);
same<ObjectOf<typeof core.ConfigMap>, Infer<typeof DeclaredConfigMap>>(true);
same<ObjectOf<typeof core.Endpoints>, Infer<typeof DeclaredEndpoints>>(true);
same<ObjectOf<typeof core.Event>, Infer<typeof DeclaredEvent>>(true);
same<ObjectOf<typeof core.LimitRange>, Infer<typeof DeclaredLimitRange>>(true);
same<ObjectOf<typeof core.Namespace>, Infer<typeof DeclaredNamespace>>(true);
same<ObjectOf<typeof core.Node>, Infer<typeof DeclaredNode>>(true);
same<ObjectOf<typeof core.PersistentVolumeClaim>, Infer<typeof DeclaredPersistentVolumeClaim>>(true);
same<ObjectOf<typeof core.PersistentVolume>, Infer<typeof DeclaredPersistentVolume>>(true);
same<ObjectOf<typeof core.Pod>, Infer<typeof DeclaredPod>>(true);
same<ObjectOf<typeof core.PodTemplate>, Infer<typeof DeclaredPodTemplate>>(true);
same<ObjectOf<typeof core.ReplicationController>, Infer<typeof DeclaredReplicationController>>(true);
same<ObjectOf<typeof core.ResourceQuota>, Infer<typeof DeclaredResourceQuota>>(true);
same<ObjectOf<typeof core.Secret>, Infer<typeof DeclaredSecret>>(true);
same<ObjectOf<typeof core.ServiceAccount>, Infer<typeof DeclaredServiceAccount>>(true);
same<ObjectOf<typeof core.Service>, Infer<typeof DeclaredService>>(true);
same<ObjectOf<typeof apiregistration.APIService>, Infer<typeof DeclaredAPIService>>(true);
same<ObjectOf<typeof apps.ControllerRevision>, Infer<typeof DeclaredControllerRevision>>(true);
same<ObjectOf<typeof apps.DaemonSet>, Infer<typeof DeclaredDaemonSet>>(true);
same<ObjectOf<typeof apps.Deployment>, Infer<typeof DeclaredDeployment>>(true);
same<ObjectOf<typeof apps.ReplicaSet>, Infer<typeof DeclaredReplicaSet>>(true);
same<ObjectOf<typeof apps.StatefulSet>, Infer<typeof DeclaredStatefulSet>>(true);
same<ObjectOf<typeof events.EventsEvent>, Infer<typeof DeclaredEventsEvent>>(true);
same<ObjectOf<typeof explain.AccessExplanation>, Infer<typeof DeclaredAccessExplanation>>(true);
same<ObjectOf<typeof explain.Denial>, Infer<typeof DeclaredDenial>>(true);
same<ObjectOf<typeof explain.WhoCanReview>, Infer<typeof DeclaredWhoCanReview>>(true);
same<ObjectOf<typeof explain.ObjectDiff>, Infer<typeof DeclaredObjectDiff>>(true);
same<ObjectOf<typeof explain.ObjectHistory>, Infer<typeof DeclaredObjectHistory>>(true);
same<ObjectOf<typeof explain.ObjectRestore>, Infer<typeof DeclaredObjectRestore>>(true);
same<ObjectOf<typeof explain.PlaneFigures>, Infer<typeof DeclaredPlaneFigures>>(true);
same<ObjectOf<typeof explain.ApplyPreview>, Infer<typeof DeclaredApplyPreview>>(true);
same<ObjectOf<typeof explain.OwnershipReview>, Infer<typeof DeclaredOwnershipReview>>(true);
same<ObjectOf<typeof explain.DeletionReview>, Infer<typeof DeclaredDeletionReview>>(true);
same<ObjectOf<typeof explain.AdmissionExplanation>, Infer<typeof DeclaredAdmissionExplanation>>(true);
same<ObjectOf<typeof explain.WriteActivity>, Infer<typeof DeclaredWriteActivity>>(true);
same<ObjectOf<typeof explain.FlowReview>, Infer<typeof DeclaredFlowReview>>(true);
same<ObjectOf<typeof explain.RememberedRequest>, Infer<typeof DeclaredRememberedRequest>>(true);
same<ObjectOf<typeof explain.SubjectRulesReview>, Infer<typeof DeclaredSubjectRulesReview>>(true);
same<ObjectOf<typeof authentication.TokenReview>, Infer<typeof DeclaredTokenReview>>(true);
same<ObjectOf<typeof authentication.SelfSubjectReview>, Infer<typeof DeclaredSelfSubjectReview>>(true);
same<ObjectOf<typeof authorization.LocalSubjectAccessReview>, Infer<typeof DeclaredLocalSubjectAccessReview>>(true);
same<ObjectOf<typeof authorization.SelfSubjectAccessReview>, Infer<typeof DeclaredSelfSubjectAccessReview>>(true);
same<ObjectOf<typeof authorization.SelfSubjectRulesReview>, Infer<typeof DeclaredSelfSubjectRulesReview>>(true);
same<ObjectOf<typeof authorization.SubjectAccessReview>, Infer<typeof DeclaredSubjectAccessReview>>(true);
same<ObjectOf<typeof autoscaling.HorizontalPodAutoscaler>, Infer<typeof DeclaredHorizontalPodAutoscaler>>(true);
same<ObjectOf<typeof autoscaling.HorizontalPodAutoscalerV1>, Infer<typeof DeclaredHorizontalPodAutoscalerV1>>(true);
same<ObjectOf<typeof autoscaling.HorizontalPodAutoscalerV2beta2>, Infer<typeof DeclaredHorizontalPodAutoscalerV2beta2>>(
  true,
);
same<ObjectOf<typeof batch.CronJob>, Infer<typeof DeclaredCronJob>>(true);
same<ObjectOf<typeof batch.Job>, Infer<typeof DeclaredJob>>(true);
same<ObjectOf<typeof certificates.CertificateSigningRequest>, Infer<typeof DeclaredCertificateSigningRequest>>(true);
same<ObjectOf<typeof networking.IngressClass>, Infer<typeof DeclaredIngressClass>>(true);
same<ObjectOf<typeof networking.Ingress>, Infer<typeof DeclaredIngress>>(true);
same<ObjectOf<typeof networking.NetworkPolicy>, Infer<typeof DeclaredNetworkPolicy>>(true);
same<ObjectOf<typeof networking.ClusterCIDR>, Infer<typeof DeclaredClusterCIDR>>(true);
same<ObjectOf<typeof policy.PodDisruptionBudget>, Infer<typeof DeclaredPodDisruptionBudget>>(true);
same<ObjectOf<typeof rbac.ClusterRoleBinding>, Infer<typeof DeclaredClusterRoleBinding>>(true);
same<ObjectOf<typeof rbac.ClusterRole>, Infer<typeof DeclaredClusterRole>>(true);
same<ObjectOf<typeof rbac.RoleBinding>, Infer<typeof DeclaredRoleBinding>>(true);
same<ObjectOf<typeof rbac.Role>, Infer<typeof DeclaredRole>>(true);
same<ObjectOf<typeof storage.CSIDriver>, Infer<typeof DeclaredCSIDriver>>(true);
same<ObjectOf<typeof storage.CSINode>, Infer<typeof DeclaredCSINode>>(true);
same<ObjectOf<typeof storage.CSIStorageCapacity>, Infer<typeof DeclaredCSIStorageCapacity>>(true);
same<ObjectOf<typeof storage.StorageClass>, Infer<typeof DeclaredStorageClass>>(true);
same<ObjectOf<typeof storage.VolumeAttachment>, Infer<typeof DeclaredVolumeAttachment>>(true);
same<ObjectOf<typeof storage.CSIStorageCapacityV1beta1>, Infer<typeof DeclaredCSIStorageCapacityV1beta1>>(true);
same<ObjectOf<typeof admissionregistration.MutatingAdmissionPolicy>, Infer<typeof DeclaredMutatingAdmissionPolicy>>(
  true,
);
same<
  ObjectOf<typeof admissionregistration.MutatingAdmissionPolicyBinding>,
  Infer<typeof DeclaredMutatingAdmissionPolicyBinding>
>(true);
same<ObjectOf<typeof admissionregistration.ValidatingAdmissionPolicy>, Infer<typeof DeclaredValidatingAdmissionPolicy>>(
  true,
);
same<
  ObjectOf<typeof admissionregistration.ValidatingAdmissionPolicyBinding>,
  Infer<typeof DeclaredValidatingAdmissionPolicyBinding>
>(true);
same<
  ObjectOf<typeof admissionregistration.MutatingWebhookConfiguration>,
  Infer<typeof DeclaredMutatingWebhookConfiguration>
>(true);
same<
  ObjectOf<typeof admissionregistration.ValidatingWebhookConfiguration>,
  Infer<typeof DeclaredValidatingWebhookConfiguration>
>(true);
same<ObjectOf<typeof apiextensions.CustomResourceDefinition>, Infer<ReturnType<typeof customResourceDefinition>>>(true);
same<ObjectOf<typeof scheduling.PriorityClass>, Infer<typeof DeclaredPriorityClass>>(true);
same<ObjectOf<typeof coordination.Lease>, Infer<typeof DeclaredLease>>(true);
same<ObjectOf<typeof node.RuntimeClass>, Infer<typeof DeclaredRuntimeClass>>(true);
same<ObjectOf<typeof discovery.EndpointSlice>, Infer<typeof DeclaredEndpointSlice>>(true);
same<ObjectOf<typeof flowcontrol.FlowSchema>, Infer<typeof DeclaredFlowSchema>>(true);
same<ObjectOf<typeof flowcontrol.PriorityLevelConfiguration>, Infer<typeof DeclaredPriorityLevelConfiguration>>(true);
same<ObjectOf<typeof flowcontrol.FlowSchemaV1beta1>, Infer<typeof DeclaredFlowSchemaV1beta1>>(true);
same<
  ObjectOf<typeof flowcontrol.PriorityLevelConfigurationV1beta1>,
  Infer<typeof DeclaredPriorityLevelConfigurationV1beta1>
>(true);
same<ObjectOf<typeof apiserverinternal.StorageVersion>, Infer<typeof DeclaredStorageVersion>>(true);

// @ts-expect-error two kinds are not the same
same<ObjectOf<typeof core.Pod>, Infer<typeof DeclaredSecret>>(true);
