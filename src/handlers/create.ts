import { parseBody } from '../codec/parse-body.ts';
import { badRequest } from '../errors.ts';
import { headerValue } from '../http/headers.ts';
import type { Reply } from '../http/message.ts';
import { replyWithObject } from './render.ts';
import type { ResourceContext, Service } from './service.ts';
import { contentTypeOf, readWriteOptions } from './write-options.ts';

export async function handleCreate(service: Service, { context, type, user }: ResourceContext): Promise<Reply> {
  const { info, request } = context;
  const format = service.negotiator.choose(headerValue(request, 'accept'));
  const options = readWriteOptions(context, user, service.vocabulary.groups.meta, 'CreateOptions');
  const body = await request.readBody(service.limits.bodyBytes);
  if (body.length === 0) throw badRequest(`a ${type.kind} is expected in the body`);
  const document = await parseBody(body, contentTypeOf(context));
  const written = await service.registry.create(type, info.namespace, document, options);
  return replyWithObject(service, type, 201, written, format, info.query);
}
