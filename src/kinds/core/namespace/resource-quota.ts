import { ObjectMeta } from '../../../meta/object-meta.ts';
import { amount, string } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../../schema/schema.ts';

export const ScopedResourceSelectorRequirement = struct(
  'core.v1.ScopedResourceSelectorRequirement',
  {
    scopeName: f(
      1,
      string()
        .required()
        .suggests(
          'BestEffort',
          'CrossNamespacePodAffinity',
          'NotBestEffort',
          'NotTerminating',
          'PriorityClass',
          'Terminating',
        ),
      'Property of pods that is looked at: BestEffort, NotBestEffort, Terminating, NotTerminating, PriorityClass or CrossNamespacePodAffinity.',
    ),
    operator: f(
      2,
      string().required().suggests('DoesNotExist', 'Exists', 'In', 'NotIn'),
      'In, NotIn, Exists or DoesNotExist. In and NotIn are only for PriorityClass; other scopes must use Exists.',
    ),
    values: f(
      3,
      list(string()),
      'Names of priority classes, required for In and NotIn; must be empty for the other operators.',
    ),
  },
  { description: 'A condition on the pods that a quota counts.' },
);
export type ScopedResourceSelectorRequirement = Infer<typeof ScopedResourceSelectorRequirement>;

export const ScopeSelector = struct(
  'core.v1.ScopeSelector',
  {
    matchExpressions: f(
      1,
      list(ScopedResourceSelectorRequirement),
      'Conditions that must all hold for a pod to be counted.',
    ),
  },
  { description: 'A choice of the pods that a quota counts.', topology: { mapType: 'atomic' } },
);
export type ScopeSelector = Infer<typeof ScopeSelector>;

export const ResourceQuotaSpec = struct(
  'core.v1.ResourceQuotaSpec',
  {
    hard: f(
      1,
      map(amount()),
      'Most that may be used, by resource: requests.cpu, limits.memory, pods, services, count/deployments.apps and so on.',
    ),
    scopes: f(
      2,
      list(string()),
      'Counts only pods with all these properties: Terminating, NotTerminating, BestEffort and so on. Unset: all. Cannot be changed.',
    ),
    scopeSelector: f(
      3,
      ScopeSelector.optional(),
      'Like scopes, with operators and values; pods must match both. Unset: all.',
    ),
  },
  { description: 'The limits of a quota, and what is counted.' },
);
export type ResourceQuotaSpec = Infer<typeof ResourceQuotaSpec>;

export const ResourceQuotaStatus = struct(
  'core.v1.ResourceQuotaStatus',
  {
    hard: f(1, map(amount()), 'Limits that are in force now, by resource.'),
    used: f(2, map(amount()), 'How much is used in the namespace now, by resource.'),
  },
  { description: 'The limits in force, and how much of them is used.' },
);
export type ResourceQuotaStatus = Infer<typeof ResourceQuotaStatus>;

export const ResourceQuota = kind(
  'core.v1.ResourceQuota',
  {
    metadata: f(1, ObjectMeta, 'Standard object metadata: name, namespace, labels, annotations, owners.'),
    spec: f(2, ResourceQuotaSpec, 'The limits, and what is counted.'),
    status: f(3, ResourceQuotaStatus, 'The limits in force and how much of them is used. Set by the platform.'),
  },
  {
    description:
      'Limits for all objects of a namespace together. Whatever would exceed them is refused on create or update.',
  },
);
export type ResourceQuota = Infer<typeof ResourceQuota>;
