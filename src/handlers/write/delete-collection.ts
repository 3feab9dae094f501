import type { Reply } from '../../http/message.ts';
import { deleteMany } from '../../registry/delete-many.ts';
import { ListedEntries } from '../../storage/log/entries.ts';
import { formatFor } from '../format.ts';
import { readLimit, replyWithPage } from '../read/list.ts';
import { replyWithLongList } from '../read/long-list.ts';
import { readSelection } from '../read/selection.ts';
import type { ResourceContext, Service } from '../service.ts';
import { readDeleteOptions } from './delete-options.ts';

/** Deletes what a list with the same query would show, and answers that list, with where to go on if it was limited. */
export async function handleDeleteCollection(service: Service, resource: ResourceContext): Promise<Reply> {
  const { context, type } = resource;
  const { objects } = service;
  const { query, namespace } = context.info;
  const format = formatFor(service, resource, 'list');
  const options = await readDeleteOptions(service, resource);
  const listing = {
    limit: readLimit(query),
    continue: query.get('continue') ?? '',
    selection: readSelection(type, query),
    deadline: context.deadline,
  };
  const long = await objects.readLongList(type, namespace, listing);
  if (long) {
    await deleteMany(service, type, long.again(), options, 'stop');
    return replyWithLongList(service, type, long, format, query);
  }
  const page = await objects.readList(type, namespace, listing);
  await deleteMany(service, type, new ListedEntries(page.items), options, 'stop');
  return replyWithPage(service, resource, page, format);
}
