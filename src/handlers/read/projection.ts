import { invalid } from '../../api/errors.ts';
import { readObject } from '../../registry/incoming.ts';
import type { ApiObject, HookContext, Projection, ResourceType } from '../../registry/resource-type.ts';
import { demandName, demandNamespace } from '../../registry/stages/read.ts';
import type { Modification } from '../../registry/update.ts';
import type { ObjectRef, WriteOptions } from '../../registry/write.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import { Problems } from '../../schema/problems.ts';

/** The projection a request goes through, if its subresource has one. */
export const projectionOf = (type: ResourceType, subresource: string): Projection<ApiObject> | undefined =>
  type.subresources[subresource]?.projection;

/** What the projection shows of an object, in canonical form. */
export const project = (projection: Projection<ApiObject>, object: ApiObject, context: HookContext): ApiObject =>
  canonicalise(projection.type.schema, projection.read(object, context)).value;

/** A change of the projected object becomes a change of the stored one. */
export function throughProjection(
  { type, namespace, name }: ObjectRef,
  projection: Projection<ApiObject>,
  change: Modification,
  options: WriteOptions,
  context: HookContext,
): Modification {
  return async (current) => {
    if (!current) return undefined;
    const projected = readObject(projection.type, await change(project(projection, current, context)), options);
    demandName(projected, name);
    demandNamespace(type, projected, namespace);
    checkProjected(projection, projected, context);
    return withIdentity(projection.write(current, projected, context), projected);
  };
}

function checkProjected(projection: Projection<ApiObject>, projected: ApiObject, context: HookContext): void {
  const problems = new Problems({ hidesValues: projection.type.sensitive });
  projection.validate?.(projected, problems, context);
  const { group, kind } = projection.type;
  if (problems.found.length > 0) throw invalid(group, kind, projected.metadata.name ?? '', problems.found);
}

/** Whoever names a version or uid in the projected object means that of the stored one; who names none means any. */
const withIdentity = (object: ApiObject, { metadata: { uid, resourceVersion = '' } }: ApiObject): ApiObject => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion, ...(uid ? { uid } : {}) },
});
