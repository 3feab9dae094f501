import type { Lease as DeclaredLease } from '../../../kinds/coordination/lease.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { inGroup } from '../object-kind.ts';

const { groups } = vocabularies.platform;
const coordination = inGroup(groups.coordination, 'v1');

export type Lease = DeclaredLease;
export const Lease = coordination.namespaced<Lease>('Lease', 'leases');
