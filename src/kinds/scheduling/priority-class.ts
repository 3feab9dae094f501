import { ObjectMeta } from '../../meta/object-meta.ts';
import { bool, int32, string } from '../../schema/scalars.ts';
import { f, type Infer, kind } from '../../schema/schema.ts';

export const PriorityClass = kind(
  'scheduling.v1.PriorityClass',
  {
    metadata: f(1, ObjectMeta),
    value: f(
      2,
      int32().required(),
      'The priority of pods of the class; a higher number is more important. At most 1000000000 for classes of your own. Cannot be changed.',
    ),
    globalDefault: f(
      3,
      bool(),
      'Whether pods that name no class get this one; at most one class should say so. Without any, their priority is 0.',
    ),
    description: f(4, string(), 'For people: when to use the class.'),
    preemptionPolicy: f(
      5,
      string().optional().default('PreemptLowerPriority'),
      'PreemptLowerPriority (the default) may evict less important pods to make room; Never only goes first in the queue.',
    ),
  },
  { description: 'A named priority that pods refer to; the scheduler places pods of higher priority first.' },
);
export type PriorityClass = Infer<typeof PriorityClass>;
