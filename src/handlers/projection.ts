import { conflict, invalid, MODIFIED_MEANWHILE } from '../errors.ts';
import { readObject } from '../registry/incoming.ts';
import type { ApiObject, HookContext, Projection, ResourceType } from '../registry/resource-type.ts';
import type { Change } from '../registry/update.ts';
import type { WriteOptions } from '../registry/write.ts';
import { Problems } from '../schema/problems.ts';

/** The projection a request goes through, if its subresource has one. */
export const projectionOf = (type: ResourceType, subresource: string): Projection<ApiObject> | undefined =>
  type.subresources[subresource]?.projection;

/** A change of the projected object becomes a change of the stored one. */
export function throughProjection(
  type: ResourceType,
  projection: Projection<ApiObject>,
  change: Change,
  options: WriteOptions,
  context: HookContext,
): Change {
  return async (current) => {
    if (!current) return undefined;
    const document = await change(projection.read(current, context));
    const projected = readObject(projection.type, document, options);
    checkVersion(type, projected, current);
    checkProjected(projection, projected, context);
    return projection.write(current, projected, context);
  };
}

function checkVersion(type: ResourceType, projected: ApiObject, current: ApiObject): void {
  const { resourceVersion, name = '' } = projected.metadata;
  if (!resourceVersion || resourceVersion === current.metadata.resourceVersion) return;
  throw conflict({ group: type.group, resource: type.plural }, name, MODIFIED_MEANWHILE);
}

function checkProjected(projection: Projection<ApiObject>, projected: ApiObject, context: HookContext): void {
  const problems = new Problems();
  projection.validate?.(projected, problems, context);
  const { group, kind } = projection.type;
  if (problems.found.length > 0) throw invalid(group, kind, projected.metadata.name ?? '', problems.found);
}
