import { noSuchResource } from '../../api/errors.ts';
import type { Catalogue } from '../../registry/catalogue.ts';
import type { ResourceType } from '../../registry/resource-type.ts';

/** The type of what an action works on. Throws 404 where that is not served. */
export function servedType(catalogue: Catalogue, group: string, plural: string): ResourceType {
  const type = catalogue.preferred(group, plural);
  if (!type) throw noSuchResource();
  return type;
}
