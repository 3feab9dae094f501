import { ObjectMeta } from '../../meta/object-meta.ts';
import { amount, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../schema/schema.ts';
import { Toleration } from '../core/node/taint.ts';

export const Overhead = struct(
  'node.v1.Overhead',
  {
    podFixed: f(1, map(amount()), 'Amounts by resource, such as cpu and memory, that each pod of the class costs.'),
  },
  { description: 'Resources that running a pod costs beyond its containers.' },
);
export type Overhead = Infer<typeof Overhead>;

export const Scheduling = struct(
  'node.v1.Scheduling',
  {
    nodeSelector: f(
      1,
      map(string()).atomic(),
      'Labels of nodes that support the class; combined with the selector of the pod, which is refused on a conflict.',
    ),
    tolerations: f(2, list(Toleration).atomicList(), 'Tolerations added to those of the pod.'),
  },
  { description: 'Where pods of a runtime class may run.' },
);
export type Scheduling = Infer<typeof Scheduling>;

export const RuntimeClass = kind(
  'node.v1.RuntimeClass',
  {
    metadata: f(1, ObjectMeta),
    handler: f(
      2,
      string().required(),
      'Name of the configuration that the container runtime of a node uses, a DNS label; not every node must have it. Cannot be changed.',
    ),
    overhead: f(
      3,
      Overhead.optional(),
      'Resources that running a pod of the class costs beyond its containers. Unset: none.',
    ),
    scheduling: f(
      4,
      Scheduling.optional(),
      'Where pods of the class may run. Unset: every node is taken to support it.',
    ),
  },
  { description: 'A way of running containers that pods can choose by name.' },
);
export type RuntimeClass = Infer<typeof RuntimeClass>;
