import { ApiError } from '../api/errors.ts';
import type { ApiObject, ResourceType } from '../registry/resource-type.ts';
import { type ControllerParts, identityOf } from './controller.ts';

export const isGoing = ({ metadata }: ApiObject, finalizer: string): boolean =>
  Boolean(metadata.deletionTimestamp) && (metadata.finalizers ?? []).includes(finalizer);

/** Lets go of an object that is on its way out, under the identity of the control loop named. */
export async function removeFinalizer(
  parts: ControllerParts,
  loop: string,
  type: ResourceType,
  { metadata: { namespace = '', name = '', uid } }: ApiObject,
  finalizer: string,
): Promise<void> {
  const without = (current: ApiObject | undefined): ApiObject | undefined => {
    if (!current || current.metadata.uid !== uid) return current;
    const finalizers = (current.metadata.finalizers ?? []).filter((one) => one !== finalizer);
    return { ...current, metadata: { ...current.metadata, finalizers } };
  };
  try {
    await parts.registry.update({ type, namespace, name, subresource: '' }, without, identityOf(parts, loop));
  } catch (error) {
    if (!(error instanceof ApiError && error.reason === 'NotFound')) throw error;
  }
}
