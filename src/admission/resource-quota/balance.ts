import type {
  ResourceQuota,
  ResourceQuotaSpec,
  ScopedResourceSelectorRequirement,
} from '../../kinds/core/namespace/resource-quota.ts';
import { type Usage, usageOf } from './usage.ts';

/** All scopes of a quota, whichever way it names them. */
export const scopesOf = ({ scopes = [], scopeSelector }: ResourceQuotaSpec): ScopedResourceSelectorRequirement[] => [
  ...scopes.map((scopeName) => ({ scopeName, operator: 'Exists' })),
  ...(scopeSelector?.matchExpressions ?? []),
];

/** A quota as of one version of it, and what is used of it once writes under way are counted in. */
export class Balance {
  readonly quota: ResourceQuota;
  readonly name: string;
  readonly scopes: readonly ScopedResourceSelectorRequirement[];
  /** The limits in force: none before the quota has been measured. */
  readonly hard: Usage;
  readonly before: Usage;
  used: Usage;

  constructor(quota: ResourceQuota) {
    this.quota = quota;
    this.name = quota.metadata.name ?? '';
    this.scopes = scopesOf(quota.spec);
    this.hard = usageOf(quota.status.hard);
    this.before = usageOf(quota.status.used);
    this.used = this.before;
  }
}
