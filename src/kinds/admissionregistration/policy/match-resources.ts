import { LabelSelector } from '../../../meta/label-selector.ts';
import { string } from '../../../schema/scalars.ts';
import { f, type Infer, inline, list, struct } from '../../../schema/schema.ts';
import { RuleWithOperations } from '../rule.ts';

export const NamedRuleWithOperations = struct(
  'admissionregistration.v1.NamedRuleWithOperations',
  {
    resourceNames: f(1, list(string()).atomicList(), 'Names of the objects that the rule matches. Empty: all.'),
    ruleWithOperations: inline(2, RuleWithOperations),
  },
  { description: 'Operations, resources and names that a policy is about.' },
);
export type NamedRuleWithOperations = Infer<typeof NamedRuleWithOperations>;

export const MatchResources = struct(
  'admissionregistration.v1.MatchResources',
  {
    namespaceSelector: f(
      1,
      LabelSelector.optional().default({}),
      'Only objects in namespaces with these labels; cluster-wide objects other than namespaces always match. Empty: all.',
    ),
    objectSelector: f(
      2,
      LabelSelector.optional().default({}),
      'Only when the new or the old object has these labels; users can avoid this by changing labels. Empty: all.',
    ),
    resourceRules: f(3, list(NamedRuleWithOperations).atomicList(), 'What is matched: one rule is enough.'),
    excludeResourceRules: f(
      4,
      list(NamedRuleWithOperations).atomicList(),
      'What is not matched, whatever the other rules say: one rule is enough.',
    ),
    matchPolicy: f(
      7,
      string().optional().default('Equivalent'),
      'Equivalent (the default) also matches requests through other versions of a resource in rules; Exact only those in rules.',
    ),
  },
  { description: 'Which requests a policy is about: one rule, and both selectors, have to match.' },
);
export type MatchResources = Infer<typeof MatchResources>;
