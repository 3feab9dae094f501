import { headerValue } from '../http/headers.ts';
import type { Reply } from '../http/message.ts';
import { parseObject } from '../registry/encoding.ts';
import { renderingIn } from '../registry/versions.ts';
import { projectionOf } from './projection.ts';
import { replyWithObject } from './render.ts';
import { replyWithValue } from './respond.ts';
import type { ResourceContext, Service } from './service.ts';

export async function handleGet(service: Service, { context, type }: ResourceContext): Promise<Reply> {
  const { info, request } = context;
  const format = service.negotiator.choose(headerValue(request, 'accept'));
  const resourceVersion = info.query.get('resourceVersion') ?? '';
  const version = await service.registry.get(type, info.namespace, info.name, { resourceVersion });
  const projection = projectionOf(type, info.subresource);
  if (projection) {
    return replyWithValue(200, projection.read(parseObject(version.bytes), service), format, info.query);
  }
  return replyWithObject(service, type, 200, renderingIn(type, version), format, info.query);
}
