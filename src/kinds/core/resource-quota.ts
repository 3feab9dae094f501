import { amount, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const ScopedResourceSelectorRequirement = struct('core.v1.ScopedResourceSelectorRequirement', {
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
  ),
  operator: f(2, string().required().suggests('DoesNotExist', 'Exists', 'In', 'NotIn')),
  values: f(3, list(string())),
});
export type ScopedResourceSelectorRequirement = Infer<typeof ScopedResourceSelectorRequirement>;

export const ScopeSelector = struct(
  'core.v1.ScopeSelector',
  {
    matchExpressions: f(1, list(ScopedResourceSelectorRequirement)),
  },
  { topology: { mapType: 'atomic' } },
);
export type ScopeSelector = Infer<typeof ScopeSelector>;

export const ResourceQuotaSpec = struct('core.v1.ResourceQuotaSpec', {
  hard: f(1, map(amount()), 'The limit for each resource.'),
  scopes: f(2, list(string()), 'Counts only objects that match all of these.'),
  scopeSelector: f(3, ScopeSelector.optional()),
});
export type ResourceQuotaSpec = Infer<typeof ResourceQuotaSpec>;

export const ResourceQuotaStatus = struct('core.v1.ResourceQuotaStatus', {
  hard: f(1, map(amount()), 'The limits in force.'),
  used: f(2, map(amount()), 'What is in use.'),
});
export type ResourceQuotaStatus = Infer<typeof ResourceQuotaStatus>;

export const ResourceQuota = kind(
  'core.v1.ResourceQuota',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, ResourceQuotaSpec),
    status: f(3, ResourceQuotaStatus),
  },
  { description: 'How much all objects of a namespace may use together.' },
);
export type ResourceQuota = Infer<typeof ResourceQuota>;
