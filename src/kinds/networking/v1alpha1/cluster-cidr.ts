import { int32, string } from '../../../schema/scalars.ts';
import { f, type Infer, kind, struct } from '../../../schema/schema.ts';
import { NodeSelector } from '../../core/node-selector.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';

export const ClusterCIDRSpec = struct('networking.v1alpha1.ClusterCIDRSpec', {
  nodeSelector: f(1, NodeSelector.optional(), 'The nodes it is for; absent: all.'),
  perNodeHostBits: f(2, int32().required(), 'How many bits of an address each node has to itself.'),
  ipv4: f(3, string().required()),
  ipv6: f(4, string().required()),
});
export type ClusterCIDRSpec = Infer<typeof ClusterCIDRSpec>;

export const ClusterCIDR = kind(
  'networking.v1alpha1.ClusterCIDR',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, ClusterCIDRSpec),
  },
  { description: 'A range of addresses from which nodes are given theirs for pods.' },
);
export type ClusterCIDR = Infer<typeof ClusterCIDR>;
