import { string } from '../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../schema/schema.ts';

export const PolicyRule = struct('rbac.v1.PolicyRule', {
  verbs: f(1, list(string()).required()),
  apiGroups: f(2, list(string())),
  resources: f(3, list(string())),
  resourceNames: f(4, list(string())),
  nonResourceURLs: f(5, list(string())),
});
export type PolicyRule = Infer<typeof PolicyRule>;
