import { badRequest, methodNotAllowed } from '../../api/errors.ts';
import { headerValue } from '../../http/headers.ts';
import type { Reply } from '../../http/message.ts';
import { Status } from '../../meta/status.ts';
import { apiVersionOf, readObject } from '../../registry/incoming.ts';
import type { ApiObject, ObjectType } from '../../registry/resource-type.ts';
import { demandNamespace } from '../../registry/stages/read.ts';
import { admissionRequest, type WriteOptions } from '../../registry/write.ts';
import type { Draft } from '../../schema/draft.ts';
import { asWanted } from '../format.ts';
import { replyWithTyped, type Typed } from '../respond.ts';
import type { ResourceContext, Service } from '../service.ts';
import { apiVersionIn, type ExpectedDocument, readDocument } from '../write/read-document.ts';
import { readWriteOptions } from '../write/write-options.ts';
import { type Action, actionKey } from './action.ts';

/** A POST that does something instead of storing what was posted. */
export async function handleAction(service: Service, resource: ResourceContext): Promise<Reply> {
  const { context, type, user } = resource;
  const { info } = context;
  const { namespace, name, subresource } = info;
  const action = service.actions.get(actionKey(type.group, type.plural, subresource));
  if (!action) throw methodNotAllowed();
  const accept = headerValue(context.request, 'accept');
  const format = asWanted(service.negotiator.choose(accept, 'plain', typeOf(action).schema), context);
  const options = readWriteOptions(context, user, service.vocabulary.groups.meta, 'CreateOptions');
  const expectation: ExpectedDocument = ({ apiVersion }) => typeOf(action, apiVersion);
  const document = await readDocument(service, context, expectation, options.fields);
  if (document === undefined) throw badRequest(`a ${typeOf(action).kind} is expected in the body`);
  const postedType = typeOf(action, apiVersionIn(document));
  const posted = readObject(postedType, document, options);
  demandNamespace(type, posted, namespace);
  const object = action.admission === false ? posted : await admitted(service, resource, postedType, posted, options);
  const { objects, registry, catalogue } = service;
  const warn = (text: string): void => context.warn(text);
  const call = { objects, registry, catalogue, context: service, namespace, name, object, options, warn };
  const answer = await action.run(call);
  const { kind }: Typed = answer.body;
  const schema = kind === postedType.kind ? postedType.schema : Status;
  return replyWithTyped(answer.status, schema, answer.body, format, answer.rest);
}

/** The type a document of this version is, among those the action takes; of another version, the usual one. */
function typeOf({ accepts }: Action, apiVersion?: unknown): ObjectType {
  const [usual] = accepts;
  if (!usual) throw new TypeError('an action must accept something');
  return accepts.find((type) => apiVersionOf(type) === apiVersion) ?? usual;
}

/** What was posted, once admission has changed it as it likes and found nothing to refuse. */
async function admitted(
  { registry }: Service,
  { context: { info }, type }: ResourceContext,
  posted: ObjectType,
  object: Draft<ApiObject>,
  options: WriteOptions,
): Promise<ApiObject> {
  const { namespace, name, subresource } = info;
  const request = admissionRequest(
    { operation: 'CREATE', type, posted, subresource, namespace, name, object, oldObject: undefined },
    options,
  );
  await registry.admit(request);
  return request.object ?? object;
}
