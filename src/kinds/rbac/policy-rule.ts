import { string } from '../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../schema/schema.ts';

export const PolicyRule = struct(
  'rbac.v1.PolicyRule',
  {
    verbs: f(1, list(string()).required(), 'What may be done; * for anything.'),
    apiGroups: f(2, list(string()), 'Groups of the resources.'),
    resources: f(3, list(string()), 'Resources, or resource/subresource; * for all.'),
    resourceNames: f(4, list(string()), 'Only objects of these names.'),
    nonResourceURLs: f(5, list(string()), 'Paths that are no resources.'),
  },
  { description: 'Verbs together with what they may be used on.' },
);
export type PolicyRule = Infer<typeof PolicyRule>;
