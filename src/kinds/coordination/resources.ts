import { dns1123Subdomain } from '../../meta/formats.ts';
import { type ResourceType, resourceType } from '../../registry/resource-type.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { leaseColumns } from './columns.ts';
import { Lease } from './lease.ts';
import { validateLease } from './lease-validation.ts';

export const coordinationResources = (v: Vocabulary): readonly ResourceType[] => [
  resourceType<Lease>({
    group: v.groups.coordination,
    version: 'v1',
    kind: 'Lease',
    plural: 'leases',
    namespaced: true,
    schema: Lease,
    nameRule: dns1123Subdomain,
    strategy: { createOnUpdate: true, unconditionalUpdate: false },
    columns: leaseColumns,
    validate: validateLease,
  }),
];
