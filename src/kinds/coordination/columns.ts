import type { Column } from '../../registry/resource-type.ts';
import { ageColumn, nameColumn, text } from '../columns.ts';
import type { Lease } from './lease.ts';

export const leaseColumns: readonly Column<Lease>[] = [
  nameColumn,
  text('Holder', 'Who holds the lease.', ({ spec }) => spec.holderIdentity ?? ''),
  ageColumn,
];
