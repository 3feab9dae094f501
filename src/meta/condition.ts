import { int64, string, time } from '../schema/scalars.ts';
import { f, type Infer, struct } from '../schema/schema.ts';

export const Condition = struct(
  'meta.v1.Condition',
  {
    type: f(1, string().required(), 'Name of the aspect in CamelCase, unique within the list of conditions.'),
    status: f(2, string().required(), 'Whether the aspect holds: True, False or Unknown.'),
    observedGeneration: f(
      3,
      int64(),
      'The metadata.generation that the condition was written for; if it is smaller than that one, the condition is out of date.',
    ),
    lastTransitionTime: f(4, time().required(), 'When the status last changed.'),
    reason: f(5, string().required(), 'Why the status is what it is, in one CamelCase word that programs can read.'),
    message: f(6, string().required(), 'Details of the last change, for people.'),
  },
  {
    description: 'One observed aspect of the state of an object, such as Ready: whether it holds, since when and why.',
  },
);
export type Condition = Infer<typeof Condition>;
