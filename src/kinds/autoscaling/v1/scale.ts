import { int32, string } from '../../../schema/scalars.ts';
import { f, type Infer, kind, struct } from '../../../schema/schema.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';

export const ScaleSpec = struct('autoscaling.v1.ScaleSpec', {
  replicas: f(1, int32()),
});
export type ScaleSpec = Infer<typeof ScaleSpec>;

export const ScaleStatus = struct('autoscaling.v1.ScaleStatus', {
  replicas: f(1, int32().required()),
  selector: f(2, string()),
});
export type ScaleStatus = Infer<typeof ScaleStatus>;

export const Scale = kind(
  'autoscaling.v1.Scale',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, ScaleSpec),
    status: f(3, ScaleStatus),
  },
  { description: 'The number of replicas of an object, wanted and present.' },
);
export type Scale = Infer<typeof Scale>;
