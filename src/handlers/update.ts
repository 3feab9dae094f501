import { parseBody } from '../codec/parse-body.ts';
import { headerValue } from '../http/headers.ts';
import type { Reply } from '../http/message.ts';
import type { ResourceContext, Service } from './service.ts';
import { contentTypeOf, readWriteOptions } from './write-options.ts';
import { replyWithChange } from './written.ts';

export async function handleUpdate(service: Service, resource: ResourceContext): Promise<Reply> {
  const { context, user } = resource;
  const format = service.negotiator.choose(headerValue(context.request, 'accept'));
  const options = readWriteOptions(context, user, service.vocabulary.groups.meta, 'UpdateOptions');
  const body = await context.request.readBody(service.limits.bodyBytes);
  const document = await parseBody(body, contentTypeOf(context));
  return replyWithChange(service, resource, () => document, options, format);
}
