import type { Format } from '../codec/negotiation.ts';
import type { Reply } from '../http/message.ts';
import type { Change } from '../registry/update.ts';
import { bytesIn } from '../registry/versions.ts';
import type { WriteOptions } from '../registry/write.ts';
import { projectionOf, throughProjection } from './projection.ts';
import { replyWithObject } from './render.ts';
import { replyWithValue } from './respond.ts';
import type { ResourceContext, Service } from './service.ts';

/** Changes an object, or the part of it that a projection shows, and answers what it is now. */
export async function replyWithChange(
  service: Service,
  { context: { info }, type }: ResourceContext,
  change: Change,
  options: WriteOptions,
  format: Format,
): Promise<Reply> {
  const { namespace, name, subresource, query } = info;
  const ref = { type, namespace, name, subresource };
  const projection = projectionOf(type, subresource);
  if (projection) {
    const through = throughProjection(type, projection, change, options, service);
    const { object } = await service.registry.update(ref, through, { ...options, patched: false });
    return replyWithValue(200, projection.read(object, service), format, query);
  }
  const written = await service.registry.update(ref, change, options);
  const status = written.created ? 201 : 200;
  return replyWithObject(service, type, status, bytesIn(type, written.bytes), format, query);
}
