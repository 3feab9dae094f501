import { ApiError } from '../errors.ts';
import type { Reply } from '../http/message.ts';
import type { DeleteOptions } from '../registry/delete.ts';
import { identityOf } from '../registry/keys.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { Version } from '../storage/version.ts';
import { readDeleteOptions } from './delete-options.ts';
import { formatFor } from './format.ts';
import { readLimit, replyWithPage } from './list.ts';
import { readSelection } from './selection.ts';
import type { ResourceContext, Service } from './service.ts';

/** So many objects are deleted at the same time. */
const WORKERS = 16;

/** Deletes what a list with the same query would show, and answers that list, with where to go on if it was limited. */
export async function handleDeleteCollection(service: Service, resource: ResourceContext): Promise<Reply> {
  const { context, type } = resource;
  const { query, namespace } = context.info;
  const format = formatFor(service, resource, 'list');
  const options = await readDeleteOptions(service, resource);
  const page = await service.registry.list(type, namespace, {
    limit: readLimit(query),
    continue: query.get('continue') ?? '',
    selection: readSelection(type, query),
  });
  const queue = page.items[Symbol.iterator]();
  await Promise.all(Array.from({ length: WORKERS }, () => deleteAll(service, type, queue, options)));
  return replyWithPage(service, resource, page, format);
}

async function deleteAll(
  service: Service,
  type: ResourceType,
  queue: Iterator<Version>,
  options: DeleteOptions,
): Promise<void> {
  for (let next = queue.next(); !next.done; next = queue.next()) {
    const { namespace, name } = identityOf(type, next.value.key);
    try {
      await service.registry.delete(type, namespace, name, options);
    } catch (error) {
      // Gone already is as good as deleted.
      if (!(error instanceof ApiError && error.reason === 'NotFound')) throw error;
    }
  }
}
