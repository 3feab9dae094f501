import { string } from '../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../schema/schema.ts';

export const PolicyRule = struct(
  'rbac.v1.PolicyRule',
  {
    verbs: f(1, list(string()).required().describe('What may be done; * for anything.')),
    apiGroups: f(2, list(string()).describe('Groups of the resources.')),
    resources: f(3, list(string()).describe('Resources, or resource/subresource; * for all.')),
    resourceNames: f(4, list(string()).describe('Only objects of these names.')),
    nonResourceURLs: f(5, list(string()).describe('Paths that are no resources.')),
  },
  { description: 'Verbs together with what they may be used on.' },
);
export type PolicyRule = Infer<typeof PolicyRule>;
