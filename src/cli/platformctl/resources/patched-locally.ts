import type { AnyObject } from '../../../client/plane-client.ts';
import type { JsonObject } from '../../../schema/json-object.ts';
import type { Session } from '../frame/session.ts';
import { MergePlans } from './merge-plans.ts';
import type { PatchType } from './object-writes.ts';

/** What a patch makes of an object, found out without the plane; only how lists merge is asked of it. */
export async function patchedLocally(
  session: Session,
  object: AnyObject,
  type: PatchType,
  patch: unknown,
): Promise<AnyObject> {
  if (type === 'json') {
    const { applyJsonPatch, parseJsonPatch } = await import('../../../patch/json-patch.ts');
    return applyJsonPatch(object, parseJsonPatch(patch)) as AnyObject;
  }
  if (type === 'merge') {
    const { mergePatch } = await import('../../../patch/merge-patch.ts');
    return mergePatch(object, patch) as AnyObject;
  }
  const { strategicMerge } = await import('../../../patch/strategic-merge.ts');
  const kind = (await session.resources()).ofKind(object.apiVersion, object.kind);
  const plan = await new MergePlans(await session.client(), await session.vocabulary()).planOf(kind);
  return strategicMerge(object as unknown as JsonObject, patch as JsonObject, plan) as unknown as AnyObject;
}
