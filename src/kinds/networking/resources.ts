import { dns1123Label, dns1123Subdomain } from '../../meta/formats.ts';
import type { GatedField } from '../../registry/gated-fields.ts';
import { type ResourceType, resourceType, statusSubresource } from '../../registry/resource-type.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { ingressClassColumns, ingressColumns, networkPolicyColumns } from './columns.ts';
import { Ingress } from './ingress.ts';
import { IngressClass } from './ingress-class.ts';
import { validateIngressClass, validateIngressClassUpdate } from './ingress-class-validation.ts';
import { validateIngress, validateIngressCreate, validateIngressStatusUpdate } from './ingress-validation.ts';
import { NetworkPolicy } from './network-policy.ts';
import { validateNetworkPolicy } from './network-policy-validation.ts';
import { ClusterCIDR } from './v1alpha1/cluster-cidr.ts';
import { validateClusterCIDR, validateClusterCIDRUpdate } from './v1alpha1/cluster-cidr-validation.ts';
import { clusterCIDRColumns } from './v1alpha1/columns.ts';

export function networkingResources(v: Vocabulary): readonly ResourceType[] {
  const networking = {
    group: v.groups.networking,
    version: 'v1',
    nameRule: dns1123Subdomain,
    strategy: { generation: true },
  } as const;
  return [
    resourceType<IngressClass>({
      ...networking,
      kind: 'IngressClass',
      plural: 'ingressclasses',
      namespaced: false,
      schema: IngressClass,
      columns: ingressClassColumns,
      validate: validateIngressClass,
      rules: { validateUpdate: validateIngressClassUpdate },
    }),
    resourceType<Ingress>({
      ...networking,
      kind: 'Ingress',
      plural: 'ingresses',
      shortNames: ['ing'],
      namespaced: true,
      schema: Ingress,
      columns: ingressColumns,
      validate: validateIngress,
      validateCreate: validateIngressCreate,
      rules: { resets: ['status'] },
      subresources: {
        status: statusSubresource({ resets: ['spec'], whole: false, validateUpdate: validateIngressStatusUpdate }),
      },
    }),
    resourceType<NetworkPolicy>({
      ...networking,
      kind: 'NetworkPolicy',
      plural: 'networkpolicies',
      shortNames: ['netpol'],
      namespaced: true,
      schema: NetworkPolicy,
      columns: networkPolicyColumns,
      validate: validateNetworkPolicy,
      gatedFields: [STATUS_OF_POLICIES],
      rules: { resets: ['status'] },
      subresources: { status: statusSubresource({ resets: ['spec'], whole: false }) },
    }),
    resourceType<ClusterCIDR>({
      group: v.groups.networking,
      version: 'v1alpha1',
      kind: 'ClusterCIDR',
      plural: 'clustercidrs',
      namespaced: false,
      schema: ClusterCIDR,
      nameRule: dns1123Label,
      columns: clusterCIDRColumns,
      validate: validateClusterCIDR,
      rules: { validateUpdate: validateClusterCIDRUpdate },
    }),
  ];
}

/** There is a place for the status, whether or not anyone fills it. */
const STATUS_OF_POLICIES: GatedField<NetworkPolicy> = {
  feature: 'NetworkPolicyStatus',
  isUsed: ({ status }) => status !== undefined && Object.keys(status).length > 0,
  drop(policy) {
    policy.status = {};
  },
};
