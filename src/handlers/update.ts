import { parseBody } from '../codec/parse-body.ts';
import { headerValue } from '../http/headers.ts';
import type { Reply } from '../http/message.ts';
import { bytesIn } from '../registry/versions.ts';
import { replyWithObject } from './render.ts';
import type { ResourceContext, Service } from './service.ts';
import { contentTypeOf, readWriteOptions } from './write-options.ts';

export async function handleUpdate(service: Service, { context, type, user }: ResourceContext): Promise<Reply> {
  const { info, request } = context;
  const format = service.negotiator.choose(headerValue(request, 'accept'));
  const options = readWriteOptions(context, user, service.vocabulary.groups.meta, 'UpdateOptions');
  const body = await request.readBody(service.limits.bodyBytes);
  const document = await parseBody(body, contentTypeOf(context));
  const { namespace, name, subresource } = info;
  const written = await service.registry.update({ type, namespace, name, subresource }, () => document, options);
  return replyWithObject(service, type, written.created ? 201 : 200, bytesIn(type, written.bytes), format, info.query);
}
