import { notFound } from '../../api/errors.ts';
import type { AdmissionRequest } from '../../registry/admission.ts';
import type { Objects } from '../../registry/objects.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { onAny } from '../rule.ts';

const NAMESPACES = { group: '', plural: 'namespaces' };

/** Nothing is written or deleted in a namespace that does not exist. */
export function namespaceExists(objects: Objects): AdmissionPlugin {
  const demand = ({ namespace }: AdmissionRequest): void => {
    if (!objects.has(NAMESPACES, '', namespace)) throw notFound({ group: '', resource: 'namespaces' }, namespace);
  };
  return {
    rules: [onAny(({ namespaced }) => namespaced).validate({ write: demand, delete: demand })],
  };
}
