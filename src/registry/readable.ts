import { ApiError } from '../api/errors.ts';
import type { VersionLog } from '../storage/log/version-log.ts';
import { identityOf, objectKey } from './keys.ts';
import type { ResourceType } from './resource-type.ts';

/**
 * Throws what to tell when an object is stored, but in a form that this server cannot read, such as with a key that it does
 * not have: neither that it is there nor that it is not would be true.
 */
export function demandReadable(log: VersionLog, type: ResourceType, namespace: string, name: string): void {
  const key = objectKey(type, namespace, name);
  const why = log.unreadable(key);
  if (why !== undefined) throw unreadable(type, key, why);
}

/** As `demandReadable`, for all that one namespace holds of a type, or all there is. */
export function demandAllReadable(log: VersionLog, type: ResourceType, prefix: string): void {
  const key = log.unreadableBelow(`/${type.collection}/${prefix}`);
  if (key !== undefined) throw unreadable(type, key, log.unreadable(key) ?? '');
}

function unreadable(type: ResourceType, key: string, why: string): ApiError {
  const { namespace, name } = identityOf(type, key);
  const place = namespace === '' ? '' : ` in namespace "${namespace}"`;
  const resource = type.group === '' ? type.plural : `${type.plural}.${type.group}`;
  const message = `${resource} "${name}"${place} cannot be read from the store: ${why}`;
  return new ApiError('InternalError', message, { name, group: type.group, kind: type.plural });
}
