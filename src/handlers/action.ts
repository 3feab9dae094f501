import { parseBody } from '../codec/parse-body.ts';
import { badRequest } from '../errors.ts';
import { headerValue } from '../http/headers.ts';
import type { Reply } from '../http/message.ts';
import { readObject } from '../registry/incoming.ts';
import type { Action } from '../registry/resource-type.ts';
import { replyWithValue } from './respond.ts';
import type { ResourceContext, Service } from './service.ts';
import { contentTypeOf, readWriteOptions } from './write-options.ts';

/** A POST that does something instead of storing what was posted. */
export async function handleAction(service: Service, resource: ResourceContext, action: Action): Promise<Reply> {
  const { context, user } = resource;
  const { request, info } = context;
  const format = service.negotiator.choose(headerValue(request, 'accept'));
  const options = readWriteOptions(context, user, service.vocabulary.groups.meta, 'CreateOptions');
  const body = await request.readBody(service.limits.bodyBytes);
  if (body.length === 0) throw badRequest(`a ${action.type.kind} is expected in the body`);
  const object = readObject(action.type, await parseBody(body, contentTypeOf(context)), options);
  const { namespace, name } = info;
  const { registry, catalogue } = service;
  const answer = await action.run({ registry, catalogue, context: service, namespace, name, object, options });
  return replyWithValue(answer.status, answer.body, format, info.query);
}
