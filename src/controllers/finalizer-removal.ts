import type { AnyObject } from '../client/plane-client.ts';
import type { ResourceName } from '../client/served-kind.ts';
import { type LoopPlane, servedKind } from './loop.ts';

export const isGoing = ({ metadata }: AnyObject, finalizer: string): boolean =>
  Boolean(metadata.deletionTimestamp) && (metadata.finalizers ?? []).includes(finalizer);

export function withoutFinalizer<T extends AnyObject>(object: T, finalizer: string): T {
  const finalizers = object.metadata.finalizers?.filter((one) => one !== finalizer);
  return { ...object, metadata: { ...object.metadata, finalizers } };
}

/** Lets go of an object that is on its way out. */
export async function removeFinalizer(
  plane: LoopPlane,
  resource: ResourceName,
  object: AnyObject,
  finalizer: string,
): Promise<void> {
  const { namespace = '', name = '' } = object.metadata;
  const target = { kind: servedKind(plane, resource), namespace, name };
  await plane.client.change(target, object, (current) => {
    return isGoing(current, finalizer) ? withoutFinalizer(current, finalizer) : undefined;
  });
}
