import type { ApiObject } from '../../registry/resource-type.ts';
import { servedType } from '../actions/served-type.ts';
import type { Whereabouts } from './connector.ts';

/** An object of the core group as it is now. Throws the 404 that names it. */
export async function storedObject<T extends ApiObject>(
  { objects, catalogue }: Whereabouts,
  plural: string,
  namespace: string,
  name: string,
): Promise<T> {
  return objects.of<T>(await objects.read(servedType(catalogue, '', plural), namespace, name));
}
