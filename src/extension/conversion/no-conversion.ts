import { apiVersionOf } from '../../registry/incoming.ts';
import type { ApiObject, ResourceType } from '../../registry/resource-type.ts';

/** The conversion of kinds whose versions all have the same fields. */
export const unchangedButVersion = (
  objects: readonly ApiObject[],
  _from: ResourceType,
  to: ResourceType,
): readonly ApiObject[] => objects.map((object) => ({ ...object, apiVersion: apiVersionOf(to) }));
