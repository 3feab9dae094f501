import type { Column } from '../../../registry/resource-type.ts';
import { ageColumn, nameColumn, text } from '../../columns.ts';
import { quantity } from '../../printing.ts';
import type { ResourceQuota } from './resource-quota.ts';

export const resourceQuotaColumns: readonly Column<ResourceQuota>[] = [
  nameColumn,
  ageColumn,
  text('Request', 'Used and allowed, for requests and counts.', (quota) => usage(quota, (name) => !isLimit(name))),
  text('Limit', 'Used and allowed, for limits.', (quota) => usage(quota, isLimit)),
];

const isLimit = (name: string): boolean => name.startsWith('limits.');

function usage({ status: { hard = {}, used = {} } }: ResourceQuota, chosen: (name: string) => boolean): string {
  return Object.keys(hard)
    .filter(chosen)
    .sort()
    .map((name) => `${name}: ${quantity(used[name])}/${hard[name]}`)
    .join(', ');
}
