import { ObjectMeta } from '../../../meta/object-meta.ts';
import { bool, string } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../../schema/schema.ts';
import { NodeConfigSource } from './node-config.ts';
import { NodeStatus } from './node-status.ts';
import { Taint } from './taint.ts';

export const NodeSpec = struct(
  'core.v1.NodeSpec',
  {
    podCIDR: f(
      1,
      string(),
      'Address range for pods of the node; always the first of podCIDRs. Cannot be changed once it is set.',
    ),
    podCIDRs: f(
      7,
      list(string()).mergeBy(),
      'Address ranges for pods of the node, at most one for each IP family. Cannot be changed once they are set.',
    ),
    providerID: f(
      3,
      string(),
      'Id of the machine at the cloud provider, as provider://id. Cannot be changed once it is set.',
    ),
    unschedulable: f(4, bool(), 'True keeps new pods off the node; those that run stay. False by default.'),
    taints: f(
      5,
      list(Taint),
      'Keep pods off the node that do not tolerate them. Each pair of key and effect at most once.',
    ),
    configSource: f(
      6,
      NodeConfigSource.optional(),
      'Where the node agent is to read its configuration. Part of a feature that is off unless it is switched on.',
    ),
    externalID: f(2, string(), 'No longer used. Cannot be changed.'),
  },
  { description: 'What is wanted of a node.' },
);
export type NodeSpec = Infer<typeof NodeSpec>;

export const Node = kind(
  'core.v1.Node',
  {
    metadata: f(
      1,
      ObjectMeta,
      'Standard object metadata: name, labels, annotations. Labels are what pods select nodes by.',
    ),
    spec: f(2, NodeSpec, 'What is wanted of the node: its taints, address ranges, whether it takes new pods.'),
    status: f(3, NodeStatus, 'What the node has, how it can be reached and whether it is healthy. Set by its agent.'),
  },
  { description: 'A machine that runs pods. Its agent creates the object and keeps the status up to date.' },
);
export type Node = Infer<typeof Node>;
