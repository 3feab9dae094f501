import type { Lease as DeclaredLease } from '../../../kinds/coordination/lease.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { inGroup, type ObjectKind } from '../object-kind.ts';

const { groups } = vocabularies.platform;
const coordination = inGroup(groups.coordination, 'v1');

export type Lease = DeclaredLease;
export const Lease: ObjectKind<Lease, true> = coordination.namespaced('Lease', 'leases');
