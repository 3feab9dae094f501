import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { PolicyRule } from './policy-rule.ts';

export const AggregationRule = struct('rbac.v1.AggregationRule', {
  clusterRoleSelectors: f(1, list(LabelSelector)),
});
export type AggregationRule = Infer<typeof AggregationRule>;

export const ClusterRole = kind(
  'rbac.v1.ClusterRole',
  {
    metadata: f(1, ObjectMeta),
    rules: f(2, list(PolicyRule).always(), 'What may be done.'),
    aggregationRule: f(3, AggregationRule.optional(), 'Takes its rules from other roles.'),
  },
  { description: 'What may be done in all namespaces, or outside of them.' },
);
export type ClusterRole = Infer<typeof ClusterRole>;
