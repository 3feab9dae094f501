import { conflict, forbidden, notFound } from '../api/errors.ts';
import { within } from '../runtime/deadline.ts';
import { objectKey } from './keys.ts';
import { demandReadable } from './readable.ts';
import type { ResourceType } from './resource-type.ts';
import { liveIn } from './stages/convert.ts';
import { hubOf } from './versions.ts';
import { type Deleted, type DeleteOptions, Deletion, type ObjectRef, type WriteParts } from './write.ts';
import { deleteObject } from './write-path.ts';

const MOST_TRIES = 1000;

export function remove(
  parts: WriteParts,
  type: ResourceType,
  namespace: string,
  name: string,
  options: DeleteOptions,
): Promise<Deleted> {
  const { propagationWarning } = hubOf(type);
  if (propagationWarning && options.propagationPolicy === undefined) options.warn?.(propagationWarning);
  const key = objectKey(type, namespace, name);
  const ref = { type, namespace, name, subresource: '' };
  return parts.log.inTurn(key, () => removeInTurn(parts, ref, key, options), options.deadline);
}

async function removeInTurn(parts: WriteParts, ref: ObjectRef, key: string, options: DeleteOptions): Promise<Deleted> {
  const { name } = ref;
  const { group, plural, refusesDelete } = hubOf(ref.type);
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    await within(options.deadline, parts.log.settled(key));
    demandReadable(parts.log, ref.type, ref.namespace, name);
    const current = parts.log.get(key);
    if (!current) throw notFound({ group, resource: plural }, name);
    const refused = refusesDelete?.(name);
    if (refused) throw forbidden({ group, resource: plural }, name, refused);
    const found = liveIn(parts, ref.type, current, options);
    const live = found instanceof Promise ? await found : found;
    const deleted = await deleteObject(new Deletion(parts, ref, options, live));
    if (deleted) return deleted;
  }
  throw conflict({ group, resource: plural }, name, 'other writers were faster each time');
}
