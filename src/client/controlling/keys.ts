import type { AnyObject } from '../plane-client.ts';

/** The key of an object within its kind: `namespace/name`, or its name where there is no namespace. */
export const keyOf = ({ metadata: { namespace, name = '' } }: AnyObject): string =>
  namespace ? `${namespace}/${name}` : name;

/** The other way round; a namespace of '' where there is none. */
export function fromKey(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, Math.max(0, slash)), name: key.slice(slash + 1) };
}
