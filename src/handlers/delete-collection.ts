import { ApiError } from '../errors.ts';
import type { Reply } from '../http/message.ts';
import { parseObject } from '../registry/encoding.ts';
import { identityOf } from '../registry/keys.ts';
import type { ApiObject } from '../registry/resource-type.ts';
import { readDeleteOptions } from './delete-options.ts';
import { formatFor } from './format.ts';
import { readLimit } from './list.ts';
import { replyWithObjects } from './render.ts';
import { readSelection } from './selection.ts';
import type { ResourceContext, Service } from './service.ts';

/** So many objects are deleted at the same time. */
const WORKERS = 16;

export async function handleDeleteCollection(service: Service, resource: ResourceContext): Promise<Reply> {
  const { context, type } = resource;
  const { info } = context;
  const format = formatFor(service, resource, 'list');
  const options = await readDeleteOptions(service, resource);
  const { query } = info;
  const { items, revision } = await service.registry.list(type, info.namespace, {
    limit: readLimit(query),
    continue: query.get('continue') ?? '',
    selection: readSelection(type, query),
  });
  const deleted: ApiObject[] = [];
  const queue = items[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (const { key, bytes } of queue) {
      const { namespace, name } = identityOf(type, key);
      try {
        deleted.push((await service.registry.delete(type, namespace, name, options)).object);
      } catch (error) {
        // Gone already is as good as deleted.
        if (!(error instanceof ApiError && error.reason === 'NotFound')) throw error;
        deleted.push(parseObject(bytes));
      }
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  const metadata = { resourceVersion: String(revision), continue: '' };
  return replyWithObjects(service, type, deleted, metadata, format, query);
}
