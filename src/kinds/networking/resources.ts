import { type ResourceType, resourceType, statusSubresource } from '../../registry/resource-type.ts';
import type { Vocabulary } from '../../vocabulary.ts';
import { dns1123Subdomain } from '../formats.ts';
import { ingressClassColumns, ingressColumns, networkPolicyColumns } from './columns.ts';
import { Ingress } from './ingress.ts';
import { IngressClass } from './ingress-class.ts';
import { NetworkPolicy } from './network-policy.ts';

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
    }),
    resourceType<Ingress>({
      ...networking,
      kind: 'Ingress',
      plural: 'ingresses',
      shortNames: ['ing'],
      namespaced: true,
      schema: Ingress,
      columns: ingressColumns,
      rules: { resets: ['status'] },
      subresources: { status: statusSubresource({ resets: ['spec'], whole: false }) },
    }),
    resourceType<NetworkPolicy>({
      ...networking,
      kind: 'NetworkPolicy',
      plural: 'networkpolicies',
      shortNames: ['netpol'],
      namespaced: true,
      schema: NetworkPolicy,
      columns: networkPolicyColumns,
      rules: { resets: ['status'] },
      subresources: { status: statusSubresource({ resets: ['spec'], whole: false, prepareUpdate: dropStatus }) },
    }),
  ];
}

/** There is a place for the status, but the feature that fills it is one this release does not turn on. */
function dropStatus(policy: NetworkPolicy): void {
  policy.status = {};
}
