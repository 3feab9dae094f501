import { string } from '../../schema/scalars.ts';
import { f, type Infer, struct } from '../../schema/schema.ts';

export const ExplainedObject = struct(
  'explain.v1alpha1.ExplainedObject',
  {
    group: f(1, string(), 'API group of the resource; empty for the core group.'),
    version: f(2, string(), 'Version in which the object is shown; the preferred one of its group unless given.'),
    resource: f(3, string().required(), 'Plural name of the resource, such as deployments.'),
    namespace: f(4, string(), 'Namespace of the object; empty if its kind has none.'),
    name: f(5, string().required(), 'Name of the object.'),
  },
  { description: 'The object that a question is about. Whoever asks must be allowed to get it.' },
);
export type ExplainedObject = Infer<typeof ExplainedObject>;
