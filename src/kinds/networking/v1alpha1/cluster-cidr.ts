import { ObjectMeta } from '../../../meta/object-meta.ts';
import { int32, string } from '../../../schema/scalars.ts';
import { f, type Infer, kind, struct } from '../../../schema/schema.ts';
import { NodeSelector } from '../../core/node/node-selector.ts';

export const ClusterCIDRSpec = struct(
  'networking.v1alpha1.ClusterCIDRSpec',
  {
    nodeSelector: f(
      1,
      NodeSelector.optional(),
      'Nodes that get their pod addresses from the ranges. Unset: all nodes.',
    ),
    perNodeHostBits: f(
      2,
      int32().required(),
      'Number of address bits for the pods of one node, at least 4; with 8, an IPv4 node gets a /24.',
    ),
    ipv4: f(3, string().required(), 'Range of IPv4 addresses, such as 10.0.0.0/8; ipv4, ipv6 or both must be set.'),
    ipv6: f(4, string().required(), 'Range of IPv6 addresses, such as 2001:db8::/64; ipv4, ipv6 or both must be set.'),
  },
  { description: 'Ranges of addresses, and the nodes they are for; nothing of it can be changed.' },
);
export type ClusterCIDRSpec = Infer<typeof ClusterCIDRSpec>;

export const ClusterCIDR = kind(
  'networking.v1alpha1.ClusterCIDR',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, ClusterCIDRSpec),
  },
  { description: 'Ranges of addresses from which matching nodes get those of their pods.' },
);
export type ClusterCIDR = Infer<typeof ClusterCIDR>;
