import { dns1123Subdomain } from '../../meta/formats.ts';
import { type ResourceType, resourceType, statusSubresource } from '../../registry/resource-type.ts';
import { selectorText } from '../../selectors/selector-text.ts';
import { scaleSubresource } from '../autoscaling/v1/scale-projection.ts';
import { templateGatedFields } from '../core/pod/gated-fields.ts';
import {
  controllerRevisionColumns,
  daemonSetColumns,
  deploymentColumns,
  replicaSetColumns,
  statefulSetColumns,
} from './columns.ts';
import { ControllerRevision } from './controller-revision.ts';
import { validateControllerRevision, validateControllerRevisionUpdate } from './controller-revision-validation.ts';
import { DaemonSet } from './daemon-set.ts';
import { validateDaemonSet, validateDaemonSetStatusUpdate, validateDaemonSetUpdate } from './daemon-set-validation.ts';
import { Deployment } from './deployment.ts';
import {
  validateDeployment,
  validateDeploymentStatusUpdate,
  validateDeploymentUpdate,
} from './deployment-validation.ts';
import {
  deploymentBumpsGeneration,
  prepareDaemonSet,
  prepareDaemonSetUpdate,
  STATEFUL_SET_GATED_FIELDS,
} from './preparation.ts';
import { ReplicaSet } from './replica-set.ts';
import {
  validateReplicaSet,
  validateReplicaSetStatusUpdate,
  validateReplicaSetUpdate,
} from './replica-set-validation.ts';
import { StatefulSet } from './stateful-set.ts';
import {
  validateStatefulSet,
  validateStatefulSetStatusUpdate,
  validateStatefulSetUpdate,
} from './stateful-set-validation.ts';

const apps = { group: 'apps', version: 'v1', namespaced: true, nameRule: dns1123Subdomain } as const;

export const appsResources = (): readonly ResourceType[] => [
  resourceType<ControllerRevision>({
    ...apps,
    kind: 'ControllerRevision',
    plural: 'controllerrevisions',
    schema: ControllerRevision,
    columns: controllerRevisionColumns,
    validate: validateControllerRevision,
    rules: { validateUpdate: validateControllerRevisionUpdate },
  }),
  resourceType<DaemonSet>({
    ...apps,
    kind: 'DaemonSet',
    plural: 'daemonsets',
    shortNames: ['ds'],
    categories: ['all'],
    schema: DaemonSet,
    strategy: { generation: true },
    columns: daemonSetColumns,
    gatedFields: templateGatedFields<DaemonSet>(),
    prepareCreate: prepareDaemonSet,
    validate: validateDaemonSet,
    rules: { resets: ['status'], prepareUpdate: prepareDaemonSetUpdate, validateUpdate: validateDaemonSetUpdate },
    subresources: {
      status: statusSubresource({ resets: ['spec'], whole: false, validateUpdate: validateDaemonSetStatusUpdate }),
    },
  }),
  resourceType<Deployment>({
    ...apps,
    kind: 'Deployment',
    plural: 'deployments',
    shortNames: ['deploy'],
    categories: ['all'],
    schema: Deployment,
    strategy: { generation: true },
    columns: deploymentColumns,
    gatedFields: templateGatedFields<Deployment>(),
    validate: validateDeployment,
    rules: { resets: ['status'], validateUpdate: validateDeploymentUpdate },
    bumpsGeneration: deploymentBumpsGeneration,
    subresources: {
      scale: scaleSubresource(({ spec }) => selectorText(spec.selector)),
      status: statusSubresource({
        resets: ['metadata.labels', 'spec'],
        whole: false,
        validateUpdate: validateDeploymentStatusUpdate,
      }),
    },
  }),
  resourceType<ReplicaSet>({
    ...apps,
    kind: 'ReplicaSet',
    plural: 'replicasets',
    shortNames: ['rs'],
    categories: ['all'],
    schema: ReplicaSet,
    strategy: { generation: true },
    columns: replicaSetColumns,
    gatedFields: templateGatedFields<ReplicaSet>(),
    validate: validateReplicaSet,
    rules: { resets: ['status'], validateUpdate: validateReplicaSetUpdate },
    subresources: {
      scale: scaleSubresource(({ spec }) => selectorText(spec.selector)),
      status: statusSubresource({ resets: ['spec'], whole: false, validateUpdate: validateReplicaSetStatusUpdate }),
    },
  }),
  resourceType<StatefulSet>({
    ...apps,
    kind: 'StatefulSet',
    plural: 'statefulsets',
    shortNames: ['sts'],
    categories: ['all'],
    schema: StatefulSet,
    strategy: { generation: true },
    columns: statefulSetColumns,
    gatedFields: templateGatedFields(...STATEFUL_SET_GATED_FIELDS),
    validate: validateStatefulSet,
    rules: { resets: ['status'], validateUpdate: validateStatefulSetUpdate },
    subresources: {
      scale: scaleSubresource(({ spec }) => selectorText(spec.selector)),
      status: statusSubresource({ resets: ['spec'], whole: false, validateUpdate: validateStatefulSetStatusUpdate }),
    },
  }),
];
