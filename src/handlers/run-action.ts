import { parseBody } from '../codec/parse-body.ts';
import { badRequest } from '../errors.ts';
import { headerValue } from '../http/headers.ts';
import type { Reply } from '../http/message.ts';
import { apiVersionOf, readObject } from '../registry/incoming.ts';
import type { ObjectType } from '../registry/resource-type.ts';
import type { Action } from './action.ts';
import { replyWithValue } from './respond.ts';
import type { ResourceContext, Service } from './service.ts';
import { contentTypeOf, readWriteOptions } from './write-options.ts';

/** A POST that does something instead of storing what was posted. */
export async function runAction(service: Service, resource: ResourceContext, action: Action): Promise<Reply> {
  const { context, user } = resource;
  const { request, info } = context;
  const format = service.negotiator.choose(headerValue(request, 'accept'));
  const options = readWriteOptions(context, user, service.vocabulary.groups.meta, 'CreateOptions');
  const body = await request.readBody(service.limits.bodyBytes);
  const document = body.length === 0 ? undefined : await parseBody(body, contentTypeOf(context));
  const object = readObject(typeOf(action, document), document, options);
  const { namespace, name } = info;
  const { registry, catalogue } = service;
  const answer = await action.run({ registry, catalogue, context: service, namespace, name, object, options });
  return replyWithValue(answer.status, answer.body, format, info.query);
}

/** The type a document says it is, among those the action takes. */
function typeOf({ accepts }: Action, document: unknown): ObjectType {
  const [usual] = accepts;
  if (!usual) throw new TypeError('an action must accept something');
  if (typeof document !== 'object' || document === null) throw badRequest(`a ${usual.kind} is expected in the body`);
  const { apiVersion } = document as { apiVersion?: unknown };
  return accepts.find((type) => apiVersionOf(type) === apiVersion) ?? usual;
}
