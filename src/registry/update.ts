import { conflict, MODIFIED_MEANWHILE, notFound } from '../api/errors.ts';
import type { AppliedMemo } from '../apply/remembered-document.ts';
import { within } from '../runtime/deadline.ts';
import { restEveryTurn } from '../runtime/pacing.ts';
import { demandCreatable } from './creatable.ts';
import { madeBy } from './create.ts';
import { readObject } from './incoming.ts';
import { objectKey } from './keys.ts';
import { demandReadable } from './readable.ts';
import type { ApiObject } from './resource-type.ts';
import { liveIn } from './stages/convert.ts';
import { demandName, demandNamespace, uidDiffers } from './stages/read.ts';
import { fromHub } from './versions.ts';
import { type ObjectRef, Write, type WriteOptions, type WriteParts, type Written } from './write.ts';
import { changeObject } from './write-path.ts';

/** Another writer was faster this often before we give up; patches without a version are tried again and again. */
const MOST_TRIES = 1000;

/**
 * Builds the new object from the current one (undefined: there is none), which it must not change. Called again when
 * another writer was faster. `memo`: what is known of documents that were applied to it.
 */
export type Modification = (current: ApiObject | undefined, memo?: AppliedMemo) => unknown | Promise<unknown>;

/**
 * Read, change, write back, once more if someone else wrote meanwhile. Serves PUT, every patch and the controllers.
 * A result equal to what is stored changes nothing, the version included.
 */
export function update(
  parts: WriteParts,
  ref: ObjectRef,
  change: Modification,
  options: WriteOptions,
): Promise<Written> {
  const key = objectKey(ref.type, ref.namespace, ref.name);
  return parts.log.inTurn(key, () => updateInTurn(parts, ref, key, change, options), options.deadline);
}

async function updateInTurn(
  parts: WriteParts,
  ref: ObjectRef,
  key: string,
  change: Modification,
  options: WriteOptions,
): Promise<Written> {
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    await within(options.deadline, parts.log.settled(key));
    demandReadable(parts.log, ref.type, ref.namespace, ref.name);
    const current = parts.log.get(key);
    if (!current && options.premise?.isConfirmed === false) {
      await options.premise.confirm();
      continue;
    }
    if (!current) return createInstead(parts, ref, await change(undefined), options);
    const found = liveIn(parts, ref.type, current, options);
    const live = found instanceof Promise ? await found : found;
    const rest = restEveryTurn(parts.runtime);
    const document = await change(fromHub(ref.type, live.object), live.applied);
    const pause = rest();
    if (pause) await pause;
    const written = await changeObject(new Write(parts, ref, options, live, document));
    if (written) return written;
  }
  throw conflict({ group: ref.type.group, resource: ref.type.plural }, ref.name, MODIFIED_MEANWHILE);
}

/** PUT of something that is not there: some kinds are made by it, unless a certain object was meant. */
async function createInstead(
  parts: WriteParts,
  ref: ObjectRef,
  document: unknown,
  options: WriteOptions,
): Promise<Written> {
  const { type, namespace, name, subresource } = ref;
  if (document === undefined) throw notFound({ group: type.group, resource: type.plural }, name);
  const object = readObject(type, document, options);
  demandName(object, name);
  demandNamespace(type, object, namespace);
  if (object.metadata.uid) throw uidDiffers(ref, object.metadata.uid, '');
  if (subresource !== '' || !(type.strategy.createOnUpdate || options.apply)) {
    throw notFound({ group: type.group, resource: type.plural }, name);
  }
  demandCreatable(parts, type);
  await options.beforeCreate?.();
  delete object.metadata.resourceVersion;
  return madeBy(await changeObject(new Write(parts, ref, options, undefined, object)));
}
