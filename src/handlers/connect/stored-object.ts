import { parseObject } from '../../registry/encoding.ts';
import type { ApiObject } from '../../registry/resource-type.ts';
import { servedType } from '../actions/served-type.ts';
import type { Objects } from './connector.ts';

/** An object of the core group as it is now. Throws the 404 that names it. */
export async function storedObject<T extends ApiObject>(
  { registry, catalogue }: Objects,
  plural: string,
  namespace: string,
  name: string,
): Promise<T> {
  const { bytes } = await registry.get(servedType(catalogue, '', plural), namespace, name);
  return parseObject<T>(bytes);
}
