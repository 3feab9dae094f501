import type { ResourceName } from '../../client/served-kind.ts';
import { type OwnedObject, propagationIn } from '../../meta/dependents.ts';
import type { ObjectMeta } from '../../meta/object-meta.ts';

/** What the metadata of an object says about its owners and dependents. */
export function ownershipIn({ group, plural }: ResourceName, metadata: ObjectMeta): OwnedObject {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata;
  const { ownerReferences: owners = [], deletionTimestamp } = metadata;
  const isGoing = Boolean(deletionTimestamp);
  const propagation = propagationIn(metadata);
  return { group, plural, namespace, name, uid, resourceVersion, owners, isGoing, propagation };
}

/** Whether others have to know of it. */
export const isOwned = ({ owners, isGoing, propagation }: OwnedObject): boolean =>
  owners.length > 0 || (isGoing && propagation !== 'Background');
