import { int32, microTime, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, struct } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const LeaseSpec = struct('coordination.v1.LeaseSpec', {
  holderIdentity: f(1, string().optional(), 'Who holds it.'),
  leaseDurationSeconds: f(2, int32().optional(), 'How long it lasts without renewal.'),
  acquireTime: f(3, microTime().optional(), 'When the holder got it.'),
  renewTime: f(4, microTime().optional(), 'When the holder last renewed it.'),
  leaseTransitions: f(5, int32().optional(), 'How often it changed hands.'),
});
export type LeaseSpec = Infer<typeof LeaseSpec>;

export const Lease = kind(
  'coordination.v1.Lease',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, LeaseSpec),
  },
  { description: 'Who holds something, and until when. Used to elect leaders and to show that nodes are alive.' },
);
export type Lease = Infer<typeof Lease>;
