import { bool, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const GroupResources = struct('audit.v1.GroupResources', {
  group: f(1, string()),
  resources: f(2, list(string())),
  resourceNames: f(3, list(string())),
});
export type GroupResources = Infer<typeof GroupResources>;

export const PolicyRule = struct('audit.v1.PolicyRule', {
  level: f(1, string().required()),
  users: f(2, list(string())),
  userGroups: f(3, list(string())),
  verbs: f(4, list(string())),
  resources: f(5, list(GroupResources)),
  namespaces: f(6, list(string())),
  nonResourceURLs: f(7, list(string())),
  omitStages: f(8, list(string())),
  omitManagedFields: f(9, bool().optional()),
});
export type PolicyRule = Infer<typeof PolicyRule>;

export const Policy = kind(
  'audit.v1.Policy',
  {
    metadata: f(1, ObjectMeta),
    rules: f(2, list(PolicyRule).required()),
    omitStages: f(3, list(string())),
    omitManagedFields: f(4, bool()),
  },
  { description: 'Which requests are recorded, and how fully.' },
);
export type Policy = Infer<typeof Policy>;
