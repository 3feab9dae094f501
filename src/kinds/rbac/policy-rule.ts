import { string } from '../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../schema/schema.ts';

export const PolicyRule = struct(
  'rbac.v1.PolicyRule',
  {
    verbs: f(1, list(string()).required(), 'What may be done, such as get, list, create; * for everything.'),
    apiGroups: f(2, list(string()), 'API groups of the resources; the empty string for the core group, * for all.'),
    resources: f(3, list(string()), 'Plural names, or name/subresource; * for all.'),
    resourceNames: f(
      4,
      list(string()),
      'The only objects that the rule allows, by name; such a rule cannot allow create, list of all, or watch of all. Empty: all.',
    ),
    nonResourceURLs: f(
      5,
      list(string()),
      'URL paths that belong to no resource, such as /metrics; * for all, also as the last part. Only in cluster roles.',
    ),
  },
  { description: 'One permission: verbs together with the resources or paths they may be used on.' },
);
export type PolicyRule = Infer<typeof PolicyRule>;
