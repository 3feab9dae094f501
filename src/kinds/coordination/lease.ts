import { ObjectMeta } from '../../meta/object-meta.ts';
import { int32, microTime, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, struct } from '../../schema/schema.ts';

export const LeaseSpec = struct(
  'coordination.v1.LeaseSpec',
  {
    holderIdentity: f(1, string().optional(), 'Identity of the current holder; empty when nobody holds the lease.'),
    leaseDurationSeconds: f(2, int32().optional(), 'Seconds after renewTime at which others may take the lease over.'),
    acquireTime: f(3, microTime().optional(), 'When the current holder took the lease.'),
    renewTime: f(4, microTime().optional(), 'When the current holder last renewed the lease.'),
    leaseTransitions: f(5, int32().optional(), 'How many times the lease went from one holder to another.'),
  },
  { description: 'Holder of a lease, and until when it holds it.' },
);
export type LeaseSpec = Infer<typeof LeaseSpec>;

export const Lease = kind(
  'coordination.v1.Lease',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, LeaseSpec),
  },
  {
    description:
      'A claim that expires unless its holder renews it. Used to elect leaders, and by nodes to show that they are alive.',
  },
);
export type Lease = Infer<typeof Lease>;
