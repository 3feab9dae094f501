import { expired } from '../../api/errors.ts';
import type { Reply } from '../../http/message.ts';
import { type Objects, selectsPrepared } from '../../registry/objects.ts';
import { isTrue } from '../../request/request-info.ts';
import { HistoryGone, type Subscription } from '../../storage/log/version-log.ts';
import { formatFor } from '../format.ts';
import { readSelection } from '../read/selection.ts';
import { replyWithBody } from '../respond.ts';
import type { ResourceContext, Service } from '../service.ts';
import { eventEncoding } from './event-encoding.ts';
import { writerFor } from './event-writer.ts';
import { preparedChanges, type Settle, selectedChanges } from './watch-events.ts';
import { refuseWatchOptions, scopeOf, startOf, timeoutOf, type Watched } from './watch-start.ts';
import { WatchStream } from './watch-stream.ts';

export async function handleWatch(service: Service, resource: ResourceContext): Promise<Reply> {
  const { context, type } = resource;
  const { namespace, name, query } = context.info;
  const { runtime, vocabulary } = service;
  const format = formatFor(service, resource, 'watch');
  refuseWatchOptions(query, vocabulary.groups.meta);
  const timeoutMs = timeoutOf(query, runtime, service.limits.leastWatchSeconds);
  const watched = { type, scope: scopeOf(type, namespace, name), selection: readSelection(type, query) };
  const { revision, initial, marked } = await startOf(service.objects, watched, query);
  const settle = settleFor(service.objects, watched);
  const writer = writerFor(
    service.objects,
    type,
    eventEncoding(service, type, format, query),
    watched.selection,
    settle !== undefined && selectsPrepared(watched.selection),
  );
  let subscription: Subscription | undefined;
  let over: (() => void) | undefined;
  const stream = new WatchStream({
    runtime,
    writer,
    meter: service.watchMeter(type),
    settle,
    initial,
    initialEnd: marked
      ? () => writer.bookmark(revision, { [vocabulary.annotations.initialEventsEnd]: 'true' })
      : undefined,
    // A watch may begin after a version that is yet to come, and is never sent back before it.
    reached: () => Math.max(revision, subscription?.reached ?? 0),
    bookmarks: isTrue(query.get('allowWatchBookmarks')),
    timeoutMs,
    onClose() {
      over?.();
      subscription?.close();
    },
  });
  subscription = subscribe(service.objects, watched, revision, stream);
  over = service.watches.add(type, stream);
  return replyWithBody(200, stream, format);
}

/** How changes become what is shown; undefined where they are that. */
function settleFor(objects: Objects, { type, selection }: Watched): Settle | undefined {
  const prepare = objects.preparing(type);
  if (!prepare) return undefined;
  return selection && selectsPrepared(selection) ? selectedChanges(prepare, selection) : preparedChanges(prepare);
}

function subscribe(objects: Objects, { type, scope }: Watched, after: number, stream: WatchStream): Subscription {
  try {
    return objects.subscribe(type, { after, scope }, stream);
  } catch (error) {
    if (!(error instanceof HistoryGone)) throw error;
    throw expired(`too old resource version: ${error.wanted} (${error.compacted})`);
  }
}
