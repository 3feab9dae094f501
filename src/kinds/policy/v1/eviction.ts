import { ObjectMeta } from '../../../meta/object-meta.ts';
import { DeleteOptions } from '../../../meta/options.ts';
import { f, type Infer, kind } from '../../../schema/schema.ts';

export const Eviction = kind(
  'policy.v1.Eviction',
  {
    metadata: f(1, ObjectMeta, 'Name and namespace of the pod.'),
    deleteOptions: f(2, DeleteOptions.optional(), 'Options of the deletion, such as the grace period.'),
  },
  {
    description:
      'Asks for a pod to be deleted within its disruption budget; refused with 429 while the budget does not allow it.',
  },
);
export type Eviction = Infer<typeof Eviction>;
