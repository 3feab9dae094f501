import type { Ingress as DeclaredIngress } from '../../../kinds/networking/ingress.ts';
import type { IngressClass as DeclaredIngressClass } from '../../../kinds/networking/ingress-class.ts';
import type { NetworkPolicy as DeclaredNetworkPolicy } from '../../../kinds/networking/network-policy.ts';
import type { ClusterCIDR as DeclaredClusterCIDR } from '../../../kinds/networking/v1alpha1/cluster-cidr.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { inGroup } from '../object-kind.ts';

const { groups } = vocabularies.platform;
const v1 = inGroup(groups.networking, 'v1');

export type IngressClass = DeclaredIngressClass;
export const IngressClass = v1.clusterWide<IngressClass>('IngressClass', 'ingressclasses');

export type Ingress = DeclaredIngress;
export const Ingress = v1.namespaced<Ingress>('Ingress', 'ingresses');

export type NetworkPolicy = DeclaredNetworkPolicy;
export const NetworkPolicy = v1.namespaced<NetworkPolicy>('NetworkPolicy', 'networkpolicies');

const v1alpha1 = inGroup(groups.networking, 'v1alpha1');

export type ClusterCIDR = DeclaredClusterCIDR;
export const ClusterCIDR = v1alpha1.clusterWide<ClusterCIDR>('ClusterCIDR', 'clustercidrs');
