import { methodNotAllowed, notFound } from '../../api/errors.ts';
import type { Reply } from '../../http/message.ts';
import type { ApiObject, ResourceType } from '../../registry/resource-type.ts';
import { formatFor } from '../format.ts';
import { readSelectors } from '../read/selection.ts';
import { replyWithObjects, replyWithTransient } from '../render.ts';
import type { ResourceContext, Service } from '../service.ts';
import { type VirtualResource, virtualKey } from './virtual-resource.ts';

export async function handleVirtualGet(service: Service, resource: ResourceContext): Promise<Reply> {
  const { context, type } = resource;
  const { name, query } = context.info;
  const format = formatFor(service, resource);
  const object = await objectNamed(resourceOf(service, type), name);
  if (!object) throw notFound({ group: type.group, resource: type.plural }, name);
  return replyWithTransient(service, type, 200, object, format, query);
}

/** Objects that are not stored have no version, and neither has their list. */
const LIST_META = { continue: '' };

export async function handleVirtualList(service: Service, resource: ResourceContext): Promise<Reply> {
  const { context, type } = resource;
  const { query } = context.info;
  const format = formatFor(service, resource, 'list');
  const { labels, fields } = readSelectors(type, query);
  const selected = (await resourceOf(service, type).objects()).filter(
    ({ metadata }) =>
      labels.matches(metadata.labels) &&
      fields.matches((field) => (field === 'metadata.name' ? metadata.name : metadata.namespace) ?? ''),
  );
  return replyWithObjects(service, type, selected, LIST_META, format, query);
}

async function objectNamed(resource: VirtualResource, name: string): Promise<ApiObject | undefined> {
  if (resource.find) return resource.find(name);
  return (await resource.objects()).find(({ metadata }) => metadata.name === name);
}

function resourceOf({ virtual }: Service, { group, plural }: ResourceType): VirtualResource {
  const resource = virtual.get(virtualKey(group, plural));
  if (!resource) throw methodNotAllowed();
  return resource;
}
