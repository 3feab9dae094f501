import { int64, string, time } from '../../schema/scalars.ts';
import { f, type Infer, struct } from '../../schema/schema.ts';

export const Condition = struct(
  'meta.v1.Condition',
  {
    type: f(1, string().required()),
    status: f(2, string().required()),
    observedGeneration: f(3, int64()),
    lastTransitionTime: f(4, time().required()),
    reason: f(5, string().required()),
    message: f(6, string().required()),
  },
  { description: 'One aspect of the state of an object: true, false or unknown, and since when.' },
);
export type Condition = Infer<typeof Condition>;
