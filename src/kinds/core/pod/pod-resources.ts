import { dns1123Subdomain } from '../../../meta/formats.ts';
import { gatedWithin } from '../../../registry/gated-fields.ts';
import {
  type ResourceType,
  resourceType,
  type SelectableField,
  statusSubresource,
  type Verb,
} from '../../../registry/resource-type.ts';
import { selectorText } from '../../../selectors/selector-text.ts';
import { scaleSubresource } from '../../autoscaling/v1/scale-projection.ts';
import { PROXY_VERBS } from '../proxy-options.ts';
import { ReplicationController } from '../replication/replication-controller.ts';
import { replicationControllerColumns } from '../replication/replication-controller-columns.ts';
import {
  validateReplicationController,
  validateReplicationControllerStatusUpdate,
} from '../replication/replication-controller-validation.ts';
import { POD_SPEC_GATED_FIELDS } from './gated-fields.ts';
import { Pod } from './pod.ts';
import { podColumns, podRowConditions } from './pod-columns.ts';
import { podGracePeriod, prepareEphemeralContainers, preparePod, preparePodStatus } from './pod-preparation.ts';
import type { PodSpec } from './pod-spec.ts';
import { validatePodStatusUpdate } from './pod-status-validation.ts';
import { PodTemplate } from './pod-template.ts';
import { podTemplateColumns } from './pod-template-columns.ts';
import { validatePodTemplate } from './pod-template-validation.ts';
import {
  validateEphemeralContainersUpdate,
  validatePod,
  validatePodCreate,
  validatePodUpdate,
} from './pod-validation.ts';

/** A conversation can be begun either way; some clients can only do one. */
const CONVERSATION_VERBS: readonly Verb[] = ['create', 'get'];

const core = { group: '', version: 'v1', namespaced: true, nameRule: dns1123Subdomain } as const;

const podFields: Readonly<Record<string, SelectableField<Pod>>> = {
  'spec.nodeName': ({ spec }) => spec.nodeName ?? '',
  'spec.restartPolicy': ({ spec }) => spec.restartPolicy ?? '',
  'spec.schedulerName': ({ spec }) => spec.schedulerName ?? '',
  'spec.serviceAccountName': ({ spec }) => spec.serviceAccountName ?? '',
  'status.phase': ({ status }) => status.phase ?? '',
  'status.podIP': ({ status }) => status.podIPs?.[0]?.ip ?? '',
  // Known, but never filled in.
  'status.podIPs': () => '',
  'status.nominatedNodeName': ({ status }) => status.nominatedNodeName ?? '',
};

/** Pods, and what they are made from. */
export const podResources: readonly ResourceType[] = [
  resourceType<Pod>({
    ...core,
    kind: 'Pod',
    plural: 'pods',
    shortNames: ['po'],
    categories: ['all'],
    schema: Pod,
    strategy: { deleteReturnsObject: true },
    columns: podColumns,
    rowConditions: podRowConditions,
    selectableFields: podFields,
    selectableAliases: { 'spec.host': 'spec.nodeName' },
    gatedFields: gatedWithin<Pod, PodSpec>(
      ({ spec }) => spec,
      ({ spec }) => spec,
      POD_SPEC_GATED_FIELDS,
    ),
    prepareCreate: preparePod,
    gracePeriod: podGracePeriod,
    validate: validatePod,
    validateCreate: validatePodCreate,
    rules: { resets: ['status'], validateUpdate: validatePodUpdate },
    subresources: {
      attach: { verbs: CONVERSATION_VERBS, kind: 'PodAttachOptions' },
      binding: { verbs: ['create'], kind: 'Binding' },
      ephemeralcontainers: {
        verbs: ['get', 'patch', 'update'],
        rules: {
          whole: false,
          prepareUpdate: prepareEphemeralContainers,
          validateUpdate: validateEphemeralContainersUpdate,
        },
      },
      eviction: { verbs: ['create'], group: 'policy', version: 'v1', kind: 'Eviction' },
      exec: { verbs: CONVERSATION_VERBS, kind: 'PodExecOptions' },
      log: { verbs: ['get'] },
      portforward: { verbs: CONVERSATION_VERBS, kind: 'PodPortForwardOptions' },
      proxy: { verbs: PROXY_VERBS, kind: 'PodProxyOptions' },
      status: statusSubresource({
        resets: ['metadata.deletionTimestamp', 'metadata.ownerReferences', 'spec'],
        whole: false,
        prepareUpdate: preparePodStatus,
        validateUpdate: validatePodStatusUpdate,
      }),
    },
  }),
  resourceType<PodTemplate>({
    ...core,
    kind: 'PodTemplate',
    plural: 'podtemplates',
    schema: PodTemplate,
    strategy: { generation: true, deleteReturnsObject: true },
    columns: podTemplateColumns,
    gatedFields: gatedWithin<PodTemplate, PodSpec>(
      ({ template }) => template.spec,
      ({ template }) => template.spec,
      POD_SPEC_GATED_FIELDS,
    ),
    validate: validatePodTemplate,
  }),
  resourceType<ReplicationController>({
    ...core,
    kind: 'ReplicationController',
    plural: 'replicationcontrollers',
    shortNames: ['rc'],
    categories: ['all'],
    schema: ReplicationController,
    strategy: { generation: true, defaultPropagation: 'Orphan' },
    columns: replicationControllerColumns,
    selectableFields: { 'status.replicas': ({ status }) => String(status.replicas) },
    gatedFields: gatedWithin<ReplicationController, PodSpec>(
      ({ spec }) => spec.template?.spec,
      ({ spec }) => spec.template?.spec,
      POD_SPEC_GATED_FIELDS,
    ),
    validate: validateReplicationController,
    rules: { resets: ['status'] },
    subresources: {
      scale: scaleSubresource(({ spec }) => selectorText(spec.selector && { matchLabels: spec.selector })),
      status: statusSubresource({
        resets: ['spec'],
        whole: false,
        validateUpdate: validateReplicationControllerStatusUpdate,
      }),
    },
  }),
];
