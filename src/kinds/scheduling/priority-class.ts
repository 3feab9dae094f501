import { bool, int32, string } from '../../schema/scalars.ts';
import { f, type Infer, kind } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const PriorityClass = kind(
  'scheduling.v1.PriorityClass',
  {
    metadata: f(1, ObjectMeta),
    value: f(2, int32().required(), 'The priority; higher goes first.'),
    globalDefault: f(3, bool(), 'Holds for pods that name no class.'),
    description: f(4, string()),
    preemptionPolicy: f(
      5,
      string().optional().default('PreemptLowerPriority'),
      'Whether less important pods give way.',
    ),
  },
  { description: 'A name for how important pods are.' },
);
export type PriorityClass = Infer<typeof PriorityClass>;
