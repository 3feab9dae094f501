import type { Ingress as DeclaredIngress } from '../../../kinds/networking/ingress.ts';
import type { IngressClass as DeclaredIngressClass } from '../../../kinds/networking/ingress-class.ts';
import type { NetworkPolicy as DeclaredNetworkPolicy } from '../../../kinds/networking/network-policy.ts';
import type { ClusterCIDR as DeclaredClusterCIDR } from '../../../kinds/networking/v1alpha1/cluster-cidr.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { inGroup, type ObjectKind } from '../object-kind.ts';

const { groups } = vocabularies.platform;
const v1 = inGroup(groups.networking, 'v1');

export type IngressClass = DeclaredIngressClass;
export const IngressClass: ObjectKind<IngressClass, false> = v1.clusterWide('IngressClass', 'ingressclasses');

export type Ingress = DeclaredIngress;
export const Ingress: ObjectKind<Ingress, true> = v1.namespaced('Ingress', 'ingresses');

export type NetworkPolicy = DeclaredNetworkPolicy;
export const NetworkPolicy: ObjectKind<NetworkPolicy, true> = v1.namespaced('NetworkPolicy', 'networkpolicies');

const v1alpha1 = inGroup(groups.networking, 'v1alpha1');

export type ClusterCIDR = DeclaredClusterCIDR;
export const ClusterCIDR: ObjectKind<ClusterCIDR, false> = v1alpha1.clusterWide('ClusterCIDR', 'clustercidrs');
