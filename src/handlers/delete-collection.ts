import { ApiError } from '../errors.ts';
import { headerValue } from '../http/headers.ts';
import type { Reply } from '../http/message.ts';
import { parseObject } from '../registry/encoding.ts';
import { identityOf } from '../registry/keys.ts';
import { fromHub } from '../registry/versions.ts';
import { readDeleteOptions } from './delete-options.ts';
import { readLimit } from './list.ts';
import { replyWithValue } from './respond.ts';
import { readSelection } from './selection.ts';
import type { ResourceContext, Service } from './service.ts';

/** So many objects are deleted at the same time. */
const WORKERS = 16;

export async function handleDeleteCollection(service: Service, resource: ResourceContext): Promise<Reply> {
  const { context, type } = resource;
  const { info, request } = context;
  const format = service.negotiator.choose(headerValue(request, 'accept'));
  const options = await readDeleteOptions(service, resource);
  const { query } = info;
  const { items, revision } = await service.registry.list(type, info.namespace, {
    limit: readLimit(query),
    continue: query.get('continue') ?? '',
    selection: readSelection(type, query),
  });
  const deleted: object[] = [];
  const queue = items[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (const { key, bytes } of queue) {
      const { namespace, name } = identityOf(type, key);
      try {
        deleted.push(fromHub(type, (await service.registry.delete(type, namespace, name, options)).object));
      } catch (error) {
        // Gone already is as good as deleted.
        if (!(error instanceof ApiError && error.reason === 'NotFound')) throw error;
        deleted.push(fromHub(type, parseObject(bytes)));
      }
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  return replyWithValue(
    200,
    {
      kind: `${type.kind}List`,
      apiVersion: type.group === '' ? type.version : `${type.group}/${type.version}`,
      metadata: { resourceVersion: String(revision), continue: '' },
      items: deleted,
    },
    { ...format, rendering: 'object' },
    query,
  );
}
