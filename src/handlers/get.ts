import { headerValue } from '../http/headers.ts';
import type { Reply } from '../http/message.ts';
import { renderingIn } from '../registry/versions.ts';
import { replyWithObject } from './render.ts';
import type { ResourceContext, Service } from './service.ts';

export async function handleGet(service: Service, { context, type }: ResourceContext): Promise<Reply> {
  const { info, request } = context;
  const format = service.negotiator.choose(headerValue(request, 'accept'));
  const resourceVersion = info.query.get('resourceVersion') ?? '';
  const version = await service.registry.get(type, info.namespace, info.name, { resourceVersion });
  return replyWithObject(service, type, 200, renderingIn(type, version), format, info.query);
}
