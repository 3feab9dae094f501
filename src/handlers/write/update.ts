import type { Reply } from '../../http/message.ts';
import { formatFor } from '../format.ts';
import { projectionOf } from '../read/projection.ts';
import type { ResourceContext, Service } from '../service.ts';
import { demandDocument } from './read-document.ts';
import { readWriteOptions } from './write-options.ts';
import { replyWithChange } from './written.ts';

export async function handleUpdate(service: Service, resource: ResourceContext): Promise<Reply> {
  const { context, type, user } = resource;
  const format = formatFor(service, resource);
  const options = readWriteOptions(context, user, service.vocabulary.groups.meta, 'UpdateOptions');
  const target = projectionOf(type, context.info.subresource)?.type ?? type;
  const document = await demandDocument(service, context, target, options.fields);
  return replyWithChange(service, resource, () => document, options, format);
}
