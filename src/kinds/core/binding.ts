import { ObjectMeta } from '../../meta/object-meta.ts';
import { f, type Infer, kind } from '../../schema/schema.ts';
import { ObjectReference } from './references.ts';

export const Binding = kind(
  'core.v1.Binding',
  {
    metadata: f(1, ObjectMeta, 'Name and namespace of the pod to assign.'),
    target: f(2, ObjectReference.required(), 'The node that is to run the pod, by its name.'),
  },
  {
    description: 'Assigns a pod to a node. Schedulers post it to the binding subresource of the pod; it is not stored.',
  },
);
export type Binding = Infer<typeof Binding>;
