import { methodNotAllowed, notFound } from '../errors.ts';
import { headerValue } from '../http/headers.ts';
import type { Reply } from '../http/message.ts';
import { apiVersionOf } from '../registry/incoming.ts';
import type { ApiObject, ResourceType } from '../registry/resource-type.ts';
import { replyWithRenderedList } from './list.ts';
import { replyWithTransient } from './render.ts';
import { replyWithValue } from './respond.ts';
import { readSelectors } from './selection.ts';
import type { ResourceContext, Service } from './service.ts';
import { virtualKey } from './virtual-resource.ts';

export async function handleVirtualGet(service: Service, { context, type }: ResourceContext): Promise<Reply> {
  const { name, query } = context.info;
  const format = service.negotiator.choose(headerValue(context.request, 'accept'));
  const object = (await objectsOf(service, type)).find(({ metadata }) => metadata.name === name);
  if (!object) throw notFound({ group: type.group, resource: type.plural }, name);
  return replyWithTransient(service, type, 200, object, format, query);
}

/** Objects that are not stored have no version, and neither has their list. */
const LIST_META = { continue: '' };

export async function handleVirtualList(service: Service, { context, type }: ResourceContext): Promise<Reply> {
  const { query } = context.info;
  const format = service.negotiator.choose(headerValue(context.request, 'accept'), 'list');
  const { labels, fields } = readSelectors(type, query);
  const selected = (await objectsOf(service, type)).filter(
    ({ metadata }) =>
      labels.matches(metadata.labels) &&
      fields.matches((field) => (field === 'metadata.name' ? metadata.name : metadata.namespace) ?? ''),
  );
  if (format.rendering !== 'object') {
    return replyWithRenderedList(service, type, selected, LIST_META, format, query);
  }
  const items = selected.map(({ kind: _kind, apiVersion: _apiVersion, ...item }) => item);
  const list = { kind: `${type.kind}List`, apiVersion: apiVersionOf(type), metadata: LIST_META, items };
  return replyWithValue(200, list, format, query);
}

async function objectsOf({ virtual }: Service, { group, plural }: ResourceType): Promise<readonly ApiObject[]> {
  const resource = virtual.get(virtualKey(group, plural));
  if (!resource) throw methodNotAllowed();
  return resource.objects();
}
