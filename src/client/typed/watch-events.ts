import type { ApiError } from '../../api/errors.ts';
import { Backoff } from '../informing/backoff.ts';
import { eventsIn, type SentEvent } from '../informing/event-stream.ts';
import { refusalInEvent, refusalOf, retryAfterMs } from '../informing/refusals.ts';
import { noAnswer } from '../no-answer.ts';
import { pause } from '../pause.ts';
import type { AnyObject } from '../plane-client.ts';
import { type RequestOptions, type Selection, selectionParameters, withQuery } from '../request-options.ts';
import { collectionPath } from '../served-kind.ts';
import type { PlaneAccess, Scope } from './plane-access.ts';

/** What a watch tells. */
export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  /** Everything up to this version has been told. */
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly object: AnyObject };

export interface WatchOptions extends Selection, RequestOptions {
  /** What happens after this version, as a list or an object has it. Absent: what there is now is told first. */
  readonly resourceVersion?: string | undefined;
  /** False: no bookmarks are asked for. */
  readonly bookmarks?: boolean | undefined;
  /** The plane ends the watch after so long. */
  readonly timeoutSeconds?: number | undefined;
  /** Goes on after the last version that was told when the watch ends or its connection breaks. */
  readonly resume?: boolean | undefined;
}

/** Planes send a bookmark every minute: when not even those come, the connection is dead. */
const IDLE_MS = 150_000;

/**
 * The events of a watch, to its end, which the signal and whoever stops asking can bring about. A refusal, and a version
 * that the plane has forgotten (410), is thrown.
 */
export async function* watchEvents<T extends AnyObject>(
  access: Pick<PlaneAccess, 'openStream' | 'runtime'>,
  scope: Scope,
  options: WatchOptions,
): AsyncGenerator<WatchEvent<T>, void, undefined> {
  const { runtime } = access;
  const backoff = new Backoff(runtime);
  let resourceVersion = options.resourceVersion ?? '';
  for (;;) {
    const began = runtime.monotonic();
    let askedMs = 0;
    try {
      for await (const event of watchOnce<T>(access, scope, { ...options, resourceVersion })) {
        resourceVersion = event.object.metadata.resourceVersion ?? resourceVersion;
        yield event;
      }
    } catch (error) {
      if (options.signal?.aborted) return;
      if (!options.resume || !isPassing(noAnswer(error))) throw noAnswer(error);
      askedMs = retryAfterMs(error);
    }
    if (!options.resume || options.signal?.aborted) return;
    await pause(runtime, backoff.next(runtime.monotonic() - began, askedMs), options.signal).catch(() => {});
  }
}

/** What may be otherwise the next time. */
const isPassing = ({ code }: ApiError): boolean => code === 0 || code === 429 || code >= 500;

async function* watchOnce<T extends AnyObject>(
  { openStream, runtime }: Pick<PlaneAccess, 'openStream' | 'runtime'>,
  { kind, namespace }: Scope,
  options: WatchOptions,
): AsyncGenerator<WatchEvent<T>> {
  const { signal } = options;
  signal?.throwIfAborted();
  const stream = await openStream(targetOf(collectionPath(await kind(), namespace), options), 'application/json');
  const onAbort = (): void => void stream.destroy();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    signal?.throwIfAborted();
    if ((stream.statusCode ?? 0) >= 400) throw await refusalOf(stream);
    for await (const event of eventsIn(stream, runtime, IDLE_MS)) yield eventOf<T>(event);
  } finally {
    signal?.removeEventListener('abort', onAbort);
    stream.destroy();
  }
}

const targetOf = (path: string, options: WatchOptions): string =>
  withQuery(path, {
    watch: true,
    ...selectionParameters(options),
    resourceVersion: options.resourceVersion,
    allowWatchBookmarks: options.bookmarks ?? true,
    timeoutSeconds: options.timeoutSeconds,
  });

function eventOf<T extends AnyObject>({ type, object }: SentEvent): WatchEvent<T> {
  if (type === 'ERROR') throw refusalInEvent(object);
  if (type !== 'BOOKMARK') return { type, object } as WatchEvent<T>;
  const { metadata } = object as AnyObject;
  return { type, resourceVersion: metadata.resourceVersion ?? '', object: object as AnyObject };
}
