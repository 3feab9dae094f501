import { ApiError, notFound } from '../../api/errors.ts';
import type { Reply } from '../../http/message.ts';
import { fromHub } from '../../registry/versions.ts';
import type { Version } from '../../storage/log/version.ts';
import { formatFor } from '../format.ts';
import { replyWithObject, replyWithTransient } from '../render.ts';
import type { ResourceContext, Service } from '../service.ts';
import { project, projectionOf } from './projection.ts';

export async function handleGet(service: Service, resource: ResourceContext): Promise<Reply> {
  const { context, type } = resource;
  const { subresource, query } = context.info;
  const format = formatFor(service, resource);
  const version = await versionFor(service, resource);
  const projection = projectionOf(type, subresource);
  if (!projection) return replyWithObject(service, type, 200, { bytes: version.bytes, version }, format, query);
  const projected = project(projection, fromHub(type, service.objects.of(version)), service);
  return replyWithTransient(service, projection.type, 200, projected, format, query);
}

/** Where a projection is asked for, it is the projection that is not there. */
async function versionFor({ objects }: Service, { context, type }: ResourceContext): Promise<Version> {
  const { info, deadline } = context;
  const { namespace, name, subresource, query } = info;
  try {
    const resourceVersion = query.get('resourceVersion') ?? '';
    return await objects.read(type, namespace, name, { resourceVersion, deadline });
  } catch (error) {
    if (!projectionOf(type, subresource) || !(error instanceof ApiError) || error.reason !== 'NotFound') throw error;
    throw notFound({ group: type.group, resource: `${type.plural}/${subresource}` }, name);
  }
}
