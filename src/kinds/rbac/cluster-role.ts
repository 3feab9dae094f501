import { LabelSelector } from '../../meta/label-selector.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { PolicyRule } from './policy-rule.ts';

export const AggregationRule = struct(
  'rbac.v1.AggregationRule',
  {
    clusterRoleSelectors: f(
      1,
      list(LabelSelector),
      'Labels of cluster roles; the rules of all that match any selector are taken over.',
    ),
  },
  { description: 'Which cluster roles a role is made of.' },
);
export type AggregationRule = Infer<typeof AggregationRule>;

export const ClusterRole = kind(
  'rbac.v1.ClusterRole',
  {
    metadata: f(1, ObjectMeta),
    rules: f(2, list(PolicyRule).always(), 'The permissions; with aggregationRule they are written by a controller.'),
    aggregationRule: f(
      3,
      AggregationRule.optional(),
      'Cluster roles whose rules make up this one; rules written by hand are overwritten.',
    ),
  },
  {
    description:
      'Set of permissions for cluster-wide objects and paths, or for objects in any namespace, by the binding that grants it.',
  },
);
export type ClusterRole = Infer<typeof ClusterRole>;
