import { parseBody } from '../codec/parse-body.ts';
import { badRequest, methodNotAllowed } from '../errors.ts';
import { headerValue } from '../http/headers.ts';
import type { Reply } from '../http/message.ts';
import { settleNamespace } from '../registry/create.ts';
import { apiVersionOf, readObject } from '../registry/incoming.ts';
import type { ApiObject, ObjectType } from '../registry/resource-type.ts';
import { admissionRequest, type WriteOptions } from '../registry/write.ts';
import { type Action, actionKey } from './action.ts';
import { replyWithValue } from './respond.ts';
import type { ResourceContext, Service } from './service.ts';
import { contentTypeOf, readWriteOptions } from './write-options.ts';

/** A POST that does something instead of storing what was posted. */
export async function handleAction(service: Service, resource: ResourceContext): Promise<Reply> {
  const { context, type, user } = resource;
  const { request, info } = context;
  const { namespace, name, subresource } = info;
  const action = service.actions.get(actionKey(type.group, type.plural, subresource));
  if (!action) throw methodNotAllowed();
  const format = service.negotiator.choose(headerValue(request, 'accept'));
  const options = readWriteOptions(context, user, service.vocabulary.groups.meta, 'CreateOptions');
  const body = await request.readBody(service.limits.bodyBytes);
  const document = body.length === 0 ? undefined : await parseBody(body, contentTypeOf(context));
  const posted = readObject(typeOf(action, document), document, options);
  settleNamespace(type, posted, namespace);
  const object = action.admission === false ? posted : await admitted(service, resource, posted, options);
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

/** What was posted, once admission has changed it as it likes and found nothing to refuse. */
async function admitted(
  { registry }: Service,
  { context: { info }, type }: ResourceContext,
  object: ApiObject,
  options: WriteOptions,
): Promise<ApiObject> {
  const { namespace, name, subresource } = info;
  const request = admissionRequest(
    { operation: 'CREATE', type, subresource, namespace, name, object, oldObject: undefined },
    options,
  );
  const { admission } = registry.parts;
  await admission.mutate(request);
  await admission.validate(request);
  return request.object ?? object;
}
