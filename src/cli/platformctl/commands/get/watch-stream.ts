import { ApiError } from '../../../../api/errors.ts';
import { eventsIn, type SentEvent } from '../../../../client/informing/event-stream.ts';
import { refusalIn } from '../../../../client/plane-client.ts';
import type { Session } from '../../frame/session.ts';
import { listQuery, TABLE_ACCEPT } from './fetch.ts';
import type { GetFlags } from './get-objects.ts';
import { pathOf, type Selection } from './selection.ts';

/** Planes end watches after an hour at the latest. */
const IDLE_MS = 2 * 3_600_000;
/** A watch that ends sooner, with nothing in it, is not begun again. */
const SHORT_MS = 1000;

/** What happens to a selection after a version. Goes on where a plane ends a watch, until somebody presses Ctrl-C. */
export async function* watchFrom(
  session: Session,
  { selection, flags }: { readonly selection: Selection; readonly flags: GetFlags },
  since: string,
  asTables: boolean,
): AsyncGenerator<SentEvent> {
  const { interrupted } = session.io;
  const query = listQuery({ ...flags, chunkSize: 0 });
  query.set('watch', 'true');
  query.set('allowWatchBookmarks', 'true');
  let version = since;
  while (!interrupted.aborted) {
    query.set('resourceVersion', version);
    const begunAt = session.runtime.monotonic();
    let isEmpty = true;
    for await (const event of eventsOf(session, `${pathOf(selection)}?${query}`, asTables)) {
      isEmpty = false;
      if (event.type === 'ERROR') throw errorIn(event);
      version = versionIn(event) ?? version;
      if (event.type !== 'BOOKMARK') yield event;
    }
    if (isEmpty && session.runtime.monotonic() - begunAt < SHORT_MS) return;
  }
}

async function* eventsOf(session: Session, target: string, asTables: boolean): AsyncGenerator<SentEvent> {
  const { interrupted } = session.io;
  const open = await session.openStream();
  const stream = await open(target, asTables ? TABLE_ACCEPT : 'application/json');
  const end = (): void => void stream.destroy();
  interrupted.addEventListener('abort', end);
  try {
    if ((stream.statusCode ?? 0) >= 400) {
      const parts: Buffer[] = [];
      for await (const part of stream) parts.push(Buffer.from(part));
      throw refusalIn(stream.statusCode ?? 0, JSON.parse(Buffer.concat(parts).toString()));
    }
    yield* eventsIn(stream, session.runtime, IDLE_MS);
  } catch (error) {
    // Reading is given up with the connection when somebody presses Ctrl-C.
    if (!interrupted.aborted || error instanceof ApiError) throw error;
  } finally {
    interrupted.removeEventListener('abort', end);
    stream.destroy();
  }
}

const errorIn = ({ object }: SentEvent): ApiError => refusalIn((object as { code?: number }).code ?? 500, object);

/** Tables have the version of their objects too. */
function versionIn({ object }: SentEvent): string | undefined {
  const { metadata } = object as { metadata?: { resourceVersion?: string } };
  return metadata?.resourceVersion || undefined;
}
