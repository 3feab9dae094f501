import { ApiError, forbidden, notFound } from '../../api/errors.ts';
import { Namespace } from '../../kinds/core/namespace/namespace.ts';
import type { AdmissionRequest } from '../../registry/admission.ts';
import type { Objects } from '../../registry/objects.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { onAny, onKind } from '../rule.ts';

const NAMESPACES = { group: '', plural: 'namespaces' };

/**
 * Nothing is written into a namespace that does not exist, nothing new into one that is going, and the namespaces the
 * system stands on cannot be deleted.
 */
export function namespaceLifecycle(objects: Objects, { namespaces }: Vocabulary): AdmissionPlugin {
  const immortal = new Set(['default', namespaces.system, namespaces.public]);
  const demand = ({ namespace }: AdmissionRequest): Namespace => {
    const found = objects.get<Namespace>(NAMESPACES, '', namespace);
    if (!found) throw notFound({ group: '', resource: 'namespaces' }, namespace);
    return found;
  };
  return {
    rules: [
      onKind(Namespace).mutate({
        delete({ name }) {
          if (!immortal.has(name)) return;
          throw forbidden({ group: '', resource: 'namespaces' }, name, 'this namespace may not be deleted');
        },
      }),
      onAny(({ namespaced }) => namespaced).mutate({
        create(request) {
          if (demand(request).status.phase === 'Terminating') throw terminating(request);
        },
        update(request) {
          demand(request);
        },
      }),
    ],
  };
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
