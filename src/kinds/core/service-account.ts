import { bool } from '../../schema/scalars.ts';
import { f, type Infer, kind, list } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { LocalObjectReference, ObjectReference } from './references.ts';

export const ServiceAccount = kind(
  'core.v1.ServiceAccount',
  {
    metadata: f(1, ObjectMeta),
    secrets: f(2, list(ObjectReference).mergeBy('name'), 'Secrets that pods of this account may use.'),
    imagePullSecrets: f(3, list(LocalObjectReference), 'Credentials for pulling images.'),
    automountServiceAccountToken: f(4, bool().optional(), 'Whether pods find a token.'),
  },
  { description: 'An identity for processes that run in pods.' },
);
export type ServiceAccount = Infer<typeof ServiceAccount>;
