import type { Format } from '../../codec/negotiation.ts';
import type { Reply } from '../../http/message.ts';
import type { Modification } from '../../registry/update.ts';
import { fromHub } from '../../registry/versions.ts';
import { project, projectionOf, throughProjection } from '../read/projection.ts';
import { replyWithObject, replyWithTransient } from '../render.ts';
import type { ResourceContext, Service } from '../service.ts';
import type { RequestOptions } from './write-options.ts';

/** Changes an object, or the part of it that a projection shows, and answers what it is now. */
export async function replyWithChange(
  service: Service,
  { context, type, user }: ResourceContext,
  change: Modification,
  options: RequestOptions,
  format: Format,
): Promise<Reply> {
  const { namespace, name, subresource, query } = context.info;
  const ref = { type, namespace, name, subresource };
  const projection = projectionOf(type, subresource);
  if (projection) {
    const through = throughProjection(ref, projection, change, options, service);
    const { object } = await service.registry.update(ref, through, options);
    const projected = project(projection, fromHub(type, object), service);
    return replyWithTransient(service, projection.type, 200, projected, format, query);
  }
  options.beforeCreate = () => service.demandCreation(context, user);
  const written = await service.registry.update(ref, change, options);
  const status = written.created ? 201 : 200;
  return replyWithObject(service, type, status, written, format, query);
}
