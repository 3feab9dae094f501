import { amount, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../schema/schema.ts';
import { Toleration } from '../core/taint.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const Overhead = struct('node.v1.Overhead', {
  podFixed: f(1, map(amount())),
});
export type Overhead = Infer<typeof Overhead>;

export const Scheduling = struct('node.v1.Scheduling', {
  nodeSelector: f(1, map(string()).atomic()),
  tolerations: f(2, list(Toleration).atomicList()),
});
export type Scheduling = Infer<typeof Scheduling>;

export const RuntimeClass = kind(
  'node.v1.RuntimeClass',
  {
    metadata: f(1, ObjectMeta),
    handler: f(2, string().required()),
    overhead: f(3, Overhead.optional()),
    scheduling: f(4, Scheduling.optional()),
  },
  { description: 'A way of running containers that nodes offer.' },
);
export type RuntimeClass = Infer<typeof RuntimeClass>;
