import { ObjectMeta } from '../../../meta/object-meta.ts';
import { bool } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list } from '../../../schema/schema.ts';
import { LocalObjectReference, ObjectReference } from '../references.ts';

export const ServiceAccount = kind(
  'core.v1.ServiceAccount',
  {
    metadata: f(1, ObjectMeta, 'Standard object metadata: name, namespace, labels, annotations, owners.'),
    secrets: f(
      2,
      list(ObjectReference).mergeBy('name'),
      'Secrets that pods of the account may mount; enforced only if an annotation of the account says so.',
    ),
    imagePullSecrets: f(
      3,
      list(LocalObjectReference),
      'Credentials for image registries; added to pods of the account that have none themselves.',
    ),
    automountServiceAccountToken: f(
      4,
      bool().optional(),
      'Whether pods of the account get a token. Unset: they do. The field of the same name in a pod wins.',
    ),
  },
  { description: 'An identity for processes in pods, to use the API with. Every namespace has one called default.' },
);
export type ServiceAccount = Infer<typeof ServiceAccount>;
