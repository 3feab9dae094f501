import { string } from '../../schema/scalars.ts';
import { f, type Infer, inline, list, struct } from '../../schema/schema.ts';

export const Rule = struct(
  'admissionregistration.v1.Rule',
  {
    apiGroups: f(1, list(string()), 'API groups; * for all, the empty string for the core group.'),
    apiVersions: f(2, list(string()), 'Versions of the groups; * for all.'),
    resources: f(
      3,
      list(string()),
      'Plural names: pods, pods/log for a subresource, * for all without subresources, pods/* or */scale, */* for everything.',
    ),
    scope: f(
      4,
      string().optional().default('*'),
      'Cluster for cluster-wide objects only, Namespaced for objects in namespaces only, * (the default) for both.',
    ),
  },
  { description: 'Resources that a webhook is called for.' },
);
export type Rule = Infer<typeof Rule>;

export const RuleWithOperations = struct(
  'admissionregistration.v1.RuleWithOperations',
  {
    operations: f(1, list(string()), 'CREATE, UPDATE, DELETE, CONNECT, or * for all.'),
    rule: inline(2, Rule),
  },
  { description: 'Operations and resources that a webhook is called for; a request must match one of each list.' },
);
export type RuleWithOperations = Infer<typeof RuleWithOperations>;
