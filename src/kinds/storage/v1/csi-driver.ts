import { bool, int64, string } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../../schema/schema.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';

export const TokenRequest = struct('storage.v1.TokenRequest', {
  audience: f(1, string().required()),
  expirationSeconds: f(2, int64().optional()),
});
export type TokenRequest = Infer<typeof TokenRequest>;

export const CSIDriverSpec = struct('storage.v1.CSIDriverSpec', {
  attachRequired: f(1, bool().optional().default(true)),
  podInfoOnMount: f(2, bool().optional().default(false)),
  volumeLifecycleModes: f(3, list(string()).set().default(['Persistent'])),
  storageCapacity: f(4, bool().optional().default(false)),
  fsGroupPolicy: f(5, string().optional().default('ReadWriteOnceWithFSType')),
  tokenRequests: f(6, list(TokenRequest).atomicList()),
  requiresRepublish: f(7, bool().optional().default(false)),
  seLinuxMount: f(8, bool().optional()),
});
export type CSIDriverSpec = Infer<typeof CSIDriverSpec>;

export const CSIDriver = kind(
  'storage.v1.CSIDriver',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, CSIDriverSpec.required()),
  },
  { description: 'A storage driver, and what it wants to be told.' },
);
export type CSIDriver = Infer<typeof CSIDriver>;
