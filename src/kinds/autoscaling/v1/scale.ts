import { ObjectMeta } from '../../../meta/object-meta.ts';
import { int32, string } from '../../../schema/scalars.ts';
import { f, type Infer, kind, struct } from '../../../schema/schema.ts';

export const ScaleSpec = struct(
  'autoscaling.v1.ScaleSpec',
  {
    replicas: f(1, int32(), 'Wanted number of replicas.'),
  },
  { description: 'Wanted scale of an object.' },
);
export type ScaleSpec = Infer<typeof ScaleSpec>;

export const ScaleStatus = struct(
  'autoscaling.v1.ScaleStatus',
  {
    replicas: f(1, int32().required(), 'Observed number of replicas.'),
    selector: f(2, string(), 'Label selector of the pods, as text; autoscalers use it to find what to measure.'),
  },
  { description: 'Observed scale of an object.' },
);
export type ScaleStatus = Infer<typeof ScaleStatus>;

export const Scale = kind(
  'autoscaling.v1.Scale',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, ScaleSpec),
    status: f(3, ScaleStatus),
  },
  {
    description:
      'Number of replicas of an object of any kind that can be scaled, read and written through its scale subresource.',
  },
);
export type Scale = Infer<typeof Scale>;
