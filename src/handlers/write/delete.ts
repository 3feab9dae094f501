import { successStatus } from '../../codec/status.ts';
import type { Reply } from '../../http/message.ts';
import type { ResourceType } from '../../registry/resource-type.ts';
import type { Deleted } from '../../registry/write.ts';
import { formatFor } from '../format.ts';
import { replyWithObject } from '../render.ts';
import { replyWithStatus } from '../respond.ts';
import type { ResourceContext, Service } from '../service.ts';
import { readDeleteOptions } from './delete-options.ts';

export async function handleDelete(service: Service, resource: ResourceContext): Promise<Reply> {
  const { context, type } = resource;
  const { info } = context;
  const format = formatFor(service, resource);
  const options = await readDeleteOptions(service, resource);
  const deleted = await service.registry.delete(type, info.namespace, info.name, options);
  if (!deleted.removed || type.strategy.deleteReturnsObject) {
    return replyWithObject(service, type, 200, deleted, format, info.query);
  }
  return replyWithStatus(200, deletionStatus(type, deleted), format);
}

const deletionStatus = (type: ResourceType, { object }: Deleted): object =>
  successStatus({
    name: object.metadata.name ?? '',
    ...(type.group === '' ? {} : { group: type.group }),
    kind: type.plural,
    uid: object.metadata.uid ?? '',
  });
