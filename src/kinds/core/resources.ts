import { dns1035Label, dns1123Label, dns1123Subdomain } from '../../meta/formats.ts';
import { type ResourceType, resourceType, statusSubresource, type Verb } from '../../registry/resource-type.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { configMapColumns, namespaceColumns, secretColumns, serviceAccountColumns } from './columns.ts';
import { ConfigMap } from './config/config-map.ts';
import { validateConfigMap, validateConfigMapUpdate } from './config/config-map-validation.ts';
import { Secret } from './config/secret.ts';
import { validateSecret, validateSecretUpdate } from './config/secret-validation.ts';
import { ServiceAccount } from './config/service-account.ts';
import { keepSecretNames } from './config/service-account-preparation.ts';
import { eventType } from './event/event-type.ts';
import { LimitRange } from './namespace/limit-range.ts';
import { validateLimitRange } from './namespace/limit-range-validation.ts';
import { Namespace } from './namespace/namespace.ts';
import {
  beginNamespaceDeletion,
  isHeldNamespace,
  labelWithName,
  prepareNamespace,
  prepareNamespaceUpdate,
} from './namespace/namespace-preparation.ts';
import {
  validateNamespace,
  validateNamespaceFinalizeUpdate,
  validateNamespaceStatusUpdate,
} from './namespace/namespace-validation.ts';
import { ResourceQuota } from './namespace/resource-quota.ts';
import { resourceQuotaColumns } from './namespace/resource-quota-columns.ts';
import {
  validateResourceQuota,
  validateResourceQuotaStatusUpdate,
  validateResourceQuotaUpdate,
} from './namespace/resource-quota-validation.ts';
import { Node } from './node/node.ts';
import { nodeColumns } from './node/node-columns.ts';
import { NODE_GATED_FIELDS, prepareNode } from './node/node-preparation.ts';
import { validateNode, validateNodeUpdate } from './node/node-validation.ts';
import { podResources } from './pod/pod-resources.ts';
import { PROXY_VERBS } from './proxy-options.ts';
import { Endpoints } from './service/endpoints.ts';
import { endpointsColumns } from './service/endpoints-columns.ts';
import { validateEndpoints } from './service/endpoints-validation.ts';
import { Service } from './service/service.ts';
import { serviceColumns } from './service/service-columns.ts';
import { prepareService, prepareServiceUpdate } from './service/service-preparation.ts';
import { reserveService } from './service/service-reservation.ts';
import { validateServiceUpdate } from './service/service-update-validation.ts';
import { validateService, validateServiceStatusUpdate } from './service/service-validation.ts';
import { virtualResources } from './virtual-resources.ts';
import { volumeResources } from './volume/volume-resources.ts';

const core = { group: '', version: 'v1' } as const;

/** A namespace is never deleted with all its neighbours. */
const NAMESPACE_VERBS: readonly Verb[] = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];

export const coreResources = (v: Vocabulary): readonly ResourceType[] => [
  ...virtualResources,
  resourceType<ConfigMap>({
    ...core,
    kind: 'ConfigMap',
    plural: 'configmaps',
    shortNames: ['cm'],
    namespaced: true,
    schema: ConfigMap,
    nameRule: dns1123Subdomain,
    columns: configMapColumns,
    validate: validateConfigMap,
    rules: { validateUpdate: validateConfigMapUpdate },
  }),
  resourceType<Endpoints>({
    ...core,
    kind: 'Endpoints',
    plural: 'endpoints',
    shortNames: ['ep'],
    namespaced: true,
    schema: Endpoints,
    nameRule: dns1123Subdomain,
    strategy: { createOnUpdate: true },
    columns: endpointsColumns,
    validate: validateEndpoints,
  }),
  eventType,
  resourceType<LimitRange>({
    ...core,
    kind: 'LimitRange',
    plural: 'limitranges',
    shortNames: ['limits'],
    namespaced: true,
    schema: LimitRange,
    nameRule: dns1123Subdomain,
    strategy: { createOnUpdate: true },
    prepareCreate({ metadata }, { runtime }) {
      metadata.name ||= runtime.uuid();
    },
    validate: validateLimitRange,
  }),
  resourceType<Namespace>({
    ...core,
    kind: 'Namespace',
    plural: 'namespaces',
    shortNames: ['ns'],
    namespaced: false,
    verbs: NAMESPACE_VERBS,
    schema: Namespace,
    nameRule: dns1123Label,
    strategy: { deleteReturnsObject: true },
    columns: namespaceColumns,
    selectableFields: { 'status.phase': ({ status }) => status.phase ?? '' },
    complete: labelWithName,
    prepareCreate: prepareNamespace,
    isHeld: isHeldNamespace,
    beginDeletion: beginNamespaceDeletion,
    validate: validateNamespace,
    rules: { resets: ['status'], prepareUpdate: prepareNamespaceUpdate },
    subresources: {
      finalize: {
        verbs: ['update'],
        rules: {
          resets: ['status'],
          whole: false,
          validateUpdate: validateNamespaceFinalizeUpdate,
        },
      },
      status: statusSubresource({
        resets: ['spec'],
        whole: false,
        validateUpdate: validateNamespaceStatusUpdate,
      }),
    },
  }),
  resourceType<Node>({
    ...core,
    kind: 'Node',
    plural: 'nodes',
    shortNames: ['no'],
    namespaced: false,
    schema: Node,
    nameRule: dns1123Subdomain,
    columns: nodeColumns(v),
    selectableFields: { 'spec.unschedulable': ({ spec }) => String(spec.unschedulable ?? false) },
    // A node registers itself with the status it has.
    createResets: [],
    gatedFields: NODE_GATED_FIELDS,
    prepareCreate: prepareNode,
    validate: validateNode,
    rules: { resets: ['status'], prepareUpdate: prepareNode, validateUpdate: validateNodeUpdate },
    subresources: {
      proxy: { verbs: PROXY_VERBS, kind: 'NodeProxyOptions' },
      status: statusSubresource({ resets: ['spec'], validateUpdate: validateNodeUpdate }),
    },
  }),
  ...volumeResources(v),
  ...podResources,
  resourceType<ResourceQuota>({
    ...core,
    kind: 'ResourceQuota',
    plural: 'resourcequotas',
    shortNames: ['quota'],
    namespaced: true,
    schema: ResourceQuota,
    nameRule: dns1123Subdomain,
    strategy: { deleteReturnsObject: true },
    columns: resourceQuotaColumns,
    validate: validateResourceQuota,
    rules: { resets: ['status'], validateUpdate: validateResourceQuotaUpdate },
    subresources: {
      status: statusSubresource({ resets: ['spec'], whole: false, validateUpdate: validateResourceQuotaStatusUpdate }),
    },
  }),
  resourceType<Secret>({
    ...core,
    kind: 'Secret',
    plural: 'secrets',
    namespaced: true,
    schema: Secret,
    sensitive: true,
    nameRule: dns1123Subdomain,
    columns: secretColumns,
    selectableFields: { type: ({ type }) => type ?? '' },
    validate: validateSecret,
    rules: { validateUpdate: validateSecretUpdate },
  }),
  resourceType<ServiceAccount>({
    ...core,
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    shortNames: ['sa'],
    namespaced: true,
    schema: ServiceAccount,
    nameRule: dns1123Subdomain,
    strategy: { deleteReturnsObject: true },
    columns: serviceAccountColumns,
    prepareCreate: keepSecretNames,
    rules: { prepareUpdate: keepSecretNames },
    subresources: {
      token: { verbs: ['create'], group: v.groups.authentication, version: 'v1', kind: 'TokenRequest' },
    },
  }),
  resourceType<Service>({
    ...core,
    kind: 'Service',
    plural: 'services',
    shortNames: ['svc'],
    categories: ['all'],
    namespaced: true,
    schema: Service,
    nameRule: dns1035Label,
    strategy: { createOnUpdate: true, deleteReturnsObject: true },
    columns: serviceColumns,
    prepareCreate: prepareService,
    reserve: reserveService,
    validate: validateService,
    rules: { resets: ['status'], prepareUpdate: prepareServiceUpdate, validateUpdate: validateServiceUpdate },
    subresources: {
      proxy: { verbs: PROXY_VERBS, kind: 'ServiceProxyOptions' },
      status: statusSubresource({ resets: ['spec'], whole: false, validateUpdate: validateServiceStatusUpdate }),
    },
  }),
];
