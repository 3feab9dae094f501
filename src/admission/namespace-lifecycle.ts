import { ApiError, forbidden, notFound } from '../api/errors.ts';
import type { Namespace } from '../kinds/core/namespace/namespace.ts';
import type { AdmissionRequest, MutatingRequest } from '../registry/admission.ts';
import type { Objects } from '../registry/objects.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from './chain.ts';

const NAMESPACES = { group: '', plural: 'namespaces' };

/**
 * Nothing is written into a namespace that does not exist, nothing new into one that is going, and the namespaces the
 * system stands on cannot be deleted.
 */
export class NamespaceLifecycle implements AdmissionPlugin {
  readonly name = 'NamespaceLifecycle';
  readonly operations = ['CREATE', 'UPDATE', 'DELETE'] as const;
  private readonly objects: Objects;
  private readonly immortal: ReadonlySet<string>;

  constructor(objects: Objects, { namespaces }: Vocabulary) {
    this.objects = objects;
    this.immortal = new Set(['default', namespaces.system, namespaces.public]);
  }

  mutate(request: MutatingRequest): void {
    const { operation, type, namespace, name } = request;
    if (type.group === '' && type.plural === 'namespaces') {
      if (operation === 'DELETE' && this.immortal.has(name)) {
        throw forbidden({ group: '', resource: type.plural }, name, 'this namespace may not be deleted');
      }
      return;
    }
    if (operation === 'DELETE' || !type.namespaced) return;
    const found = this.objects.get<Namespace>(NAMESPACES, '', namespace);
    if (!found) throw notFound({ group: '', resource: 'namespaces' }, namespace);
    if (operation === 'CREATE' && found.status.phase === 'Terminating') throw terminating(request);
  }
}

function terminating({ type, namespace, name }: AdmissionRequest): ApiError {
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const refusal = forbidden({ group: type.group, resource: type.plural }, name, why);
  const causes = [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace} is being terminated`,
      field: 'metadata.namespace',
    },
  ];
  return new ApiError('Forbidden', refusal.message, { ...refusal.details, causes });
}
