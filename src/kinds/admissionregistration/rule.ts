import { string } from '../../schema/scalars.ts';
import { f, type Infer, inline, list, struct } from '../../schema/schema.ts';

export const Rule = struct('admissionregistration.v1.Rule', {
  apiGroups: f(1, list(string())),
  apiVersions: f(2, list(string())),
  resources: f(3, list(string())),
  scope: f(4, string().optional().default('*')),
});
export type Rule = Infer<typeof Rule>;

export const RuleWithOperations = struct('admissionregistration.v1.RuleWithOperations', {
  operations: f(1, list(string())),
  rule: inline(2, Rule),
});
export type RuleWithOperations = Infer<typeof RuleWithOperations>;
