import { int32, microTime, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, struct } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const LeaseSpec = struct('coordination.v1.LeaseSpec', {
  holderIdentity: f(1, string().optional()),
  leaseDurationSeconds: f(2, int32().optional()),
  acquireTime: f(3, microTime().optional()),
  renewTime: f(4, microTime().optional()),
  leaseTransitions: f(5, int32().optional()),
});
export type LeaseSpec = Infer<typeof LeaseSpec>;

export const Lease = kind('coordination.v1.Lease', {
  metadata: f(1, ObjectMeta),
  spec: f(2, LeaseSpec),
});
export type Lease = Infer<typeof Lease>;
