import { bool, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { NodeConfigSource } from './node-config.ts';
import { NodeStatus } from './node-status.ts';
import { Taint } from './taint.ts';

export const NodeSpec = struct('core.v1.NodeSpec', {
  podCIDR: f(1, string(), 'The range of addresses for its pods.'),
  podCIDRs: f(7, list(string()).mergeBy()),
  providerID: f(3, string(), 'Its name with whoever provides it.'),
  unschedulable: f(4, bool(), 'Gets no new pods.'),
  taints: f(5, list(Taint), 'Keep away pods that do not bear them.'),
  configSource: f(6, NodeConfigSource.optional()),
  externalID: f(2, string()),
});
export type NodeSpec = Infer<typeof NodeSpec>;

export const Node = kind(
  'core.v1.Node',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, NodeSpec),
    status: f(3, NodeStatus),
  },
  { description: 'A machine that pods run on.' },
);
export type Node = Infer<typeof Node>;
