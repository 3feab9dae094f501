import { ApiError, forbidden, notFound } from '../../api/errors.ts';
import { Namespace } from '../../kinds/core/namespace/namespace.ts';
import type { AdmissionRequest } from '../../registry/admission.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { onAny, onKind } from '../rule.ts';
import { type KnownNamespace, type NamespaceSource, NO_SUCH_NAMESPACE } from './namespace-source.ts';

/**
 * Nothing is written into a namespace that does not exist, nothing new into one that is going, and the namespaces the
 * system stands on cannot be deleted.
 */
export function namespaceLifecycle(source: NamespaceSource, { namespaces }: Vocabulary): AdmissionPlugin {
  const immortal = new Set(['default', namespaces.system, namespaces.public]);
  const judge = (request: AdmissionRequest, refuse: Refusal): void | Promise<void> => {
    const found = source.find(request.namespace);
    return found instanceof Promise ? found.then((one) => refuse(request, one)) : refuse(request, found);
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
        create: (request) => judge(request, refuseNew),
        update: (request) => judge(request, refuseAbsent),
      }),
    ],
  };
}

type Refusal = (request: AdmissionRequest, namespace: KnownNamespace) => void;

const refuseAbsent: Refusal = ({ namespace }, found) => {
  if (found === NO_SUCH_NAMESPACE) throw notFound({ group: '', resource: 'namespaces' }, namespace);
};

const refuseNew: Refusal = (request, found) => {
  refuseAbsent(request, found);
  if (found === 'going') throw terminating(request);
};

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
