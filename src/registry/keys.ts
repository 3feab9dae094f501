import type { ResourceType } from './resource-type.ts';

/** Where an object is stored. */
export const objectKey = (type: ResourceType, namespace: string, name: string): string =>
  type.namespaced ? `/${type.collection}/${namespace}/${name}` : `/${type.collection}/${name}`;

/** The part of a collection that one namespace holds; '' for all of it. */
export const namespacePrefix = (type: ResourceType, namespace: string): string =>
  type.namespaced && namespace !== '' ? `${namespace}/` : '';

/** Namespace and name of a stored object, read off its key. */
export function identityOf(type: ResourceType, key: string): { namespace: string; name: string } {
  const rest = key.slice(type.collection.length + 2);
  if (!type.namespaced) return { namespace: '', name: rest };
  const slash = rest.indexOf('/');
  return { namespace: rest.slice(0, slash), name: rest.slice(slash + 1) };
}
