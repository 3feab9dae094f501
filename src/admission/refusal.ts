import { type ApiError, forbidden } from '../api/errors.ts';
import type { AdmissionRequest } from '../registry/admission.ts';

/** The 403 of a plugin, under the name the object has or would get one from. */
export function refusal({ type, name, object }: AdmissionRequest, why: string): ApiError {
  const { metadata } = object ?? {};
  const shown = metadata?.name || name || metadata?.generateName || '';
  return forbidden({ group: type.group, resource: type.plural }, shown, why);
}
