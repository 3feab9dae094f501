import type { Reply } from '../../http/message.ts';
import { formatFor } from '../format.ts';
import { replyWithObject } from '../render.ts';
import type { ResourceContext, Service } from '../service.ts';
import { demandDocument } from './read-document.ts';
import { readWriteOptions } from './write-options.ts';

export async function handleCreate(service: Service, resource: ResourceContext): Promise<Reply> {
  const { context, type, user } = resource;
  const { namespace, query } = context.info;
  const format = formatFor(service, resource);
  const options = readWriteOptions(context, user, service.vocabulary.groups.meta, 'CreateOptions');
  const document = await demandDocument(service, context, type, options.fields);
  const written = await service.registry.create(type, namespace, document, options);
  return replyWithObject(service, type, 201, written, format, query);
}
