import { ObjectMeta } from '../../meta/object-meta.ts';
import { bool, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';

export const GroupResources = struct(
  'audit.v1.GroupResources',
  {
    group: f(1, string(), 'API group; empty for the core group.'),
    resources: f(
      2,
      list(string()),
      'Plural names: pods, pods/log, pods/*, */scale, or * for all with their subresources. Empty: all of the group.',
    ),
    resourceNames: f(3, list(string()), 'Objects by name; requires resources. Empty: all objects.'),
  },
  { description: 'Resources of one API group.' },
);
export type GroupResources = Infer<typeof GroupResources>;

export const PolicyRule = struct(
  'audit.v1.PolicyRule',
  {
    level: f(1, string().required(), 'How much is recorded: None, Metadata, Request or RequestResponse.'),
    users: f(2, list(string()), 'Users by name. Empty: all.'),
    userGroups: f(3, list(string()), 'Groups; a user must be in one of them. Empty: all.'),
    verbs: f(4, list(string()), 'Verbs. Empty: all.'),
    resources: f(5, list(GroupResources), 'Resources by group. Empty: all, and other paths too.'),
    namespaces: f(6, list(string()), 'Namespaces; the empty string for cluster-wide objects. Empty list: all.'),
    nonResourceURLs: f(
      7,
      list(string()),
      'Paths that belong to no resource; * for all, also as the last part. Excludes resources and namespaces.',
    ),
    omitStages: f(8, list(string()), 'Stages that make no event, in addition to those of the policy.'),
    omitManagedFields: f(
      9,
      bool().optional(),
      'Whether managedFields are left out of recorded bodies. Unset: as the policy says.',
    ),
  },
  { description: 'Requests, and how much of them is recorded; a request must match every list that is not empty.' },
);
export type PolicyRule = Infer<typeof PolicyRule>;

export const Policy = kind(
  'audit.v1.Policy',
  {
    metadata: f(1, ObjectMeta),
    rules: f(
      2,
      list(PolicyRule).required(),
      'The rules; the first one that matches counts, and a request without a match is not recorded.',
    ),
    omitStages: f(3, list(string()), 'Stages that make no event for any request.'),
    omitManagedFields: f(
      4,
      bool(),
      'Whether managedFields are left out of recorded bodies, unless a rule says otherwise. Default false.',
    ),
  },
  { description: 'Which requests are recorded, and how much of each.' },
);
export type Policy = Infer<typeof Policy>;
