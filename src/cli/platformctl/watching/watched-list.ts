import { ApiError } from '../../../api/errors.ts';
import { eventsIn, type SentEvent } from '../../../client/informing/event-stream.ts';
import { type AnyObject, refusalIn } from '../../../client/plane-client.ts';
import { apiVersionOfKind, collectionPath } from '../../../client/served-kind.ts';
import { sleep } from '../../../runtime/runtime.ts';
import { fieldText } from '../../../selectors/field-text.ts';
import type { Session } from '../frame/session.ts';
import type { ServedResource } from '../resources/served-resources.ts';

/** Planes end watches after an hour at the latest. */
const IDLE_MS = 2 * 3_600_000;
/** A watch that ends at once is begun again no sooner. */
const PAUSE_MS = 1000;

/** Objects that are watched. */
export interface WatchedObjects {
  readonly resource: ServedResource;
  /** '' for those of all namespaces. */
  readonly namespace: string;
  readonly fieldSelector?: string;
}

/** Changes after a version, to the end of the watch. An event of the type ERROR is thrown as the refusal that it is. */
export async function* changesSince(
  session: Session,
  { resource, namespace, fieldSelector }: WatchedObjects,
  resourceVersion: string,
  signal: AbortSignal,
): AsyncGenerator<SentEvent> {
  const query = new URLSearchParams({ watch: 'true', resourceVersion });
  if (fieldSelector) query.set('fieldSelector', fieldSelector);
  const open = await session.openStream();
  const stream = await open(`${collectionPath(resource, namespace)}?${query}`, 'application/json');
  const end = (): void => void stream.destroy();
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  try {
    if ((stream.statusCode ?? 0) >= 400) {
      const parts: Buffer[] = [];
      for await (const part of stream) parts.push(Buffer.from(part));
      throw refusalIn(stream.statusCode ?? 0, JSON.parse(Buffer.concat(parts).toString()));
    }
    for await (const event of eventsIn(stream, session.runtime, IDLE_MS)) {
      if (event.type === 'ERROR') throw refusalIn((event.object as { code?: number }).code ?? 500, event.object);
      yield event;
    }
  } catch (error) {
    // What is being read breaks off when the end has come.
    if (!signal.aborted || error instanceof ApiError) throw error;
  } finally {
    signal.removeEventListener('abort', end);
    stream.destroy();
  }
}

/**
 * One object as it is now and after each change; undefined where there is none. Goes on where a watch ends, or its version
 * has expired, until `signal`.
 */
export async function* statesOf(
  session: Session,
  {
    resource,
    namespace,
    name,
  }: { readonly resource: ServedResource; readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): AsyncGenerator<AnyObject | undefined> {
  const client = await session.client();
  const fieldSelector = fieldText({ 'metadata.name': name });
  while (!signal.aborted) {
    const { items, resourceVersion } = await client.list<AnyObject>(resource, namespace, { fieldSelector });
    // Objects in lists do not say what they are.
    yield items[0] && { ...items[0], kind: resource.kind, apiVersion: apiVersionOfKind(resource) };
    if (signal.aborted) return;
    try {
      const watched = { resource, namespace, fieldSelector };
      for await (const { type, object } of changesSince(session, watched, resourceVersion, signal)) {
        yield type === 'DELETED' ? undefined : (object as AnyObject);
      }
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'Expired') throw error;
    }
    if (!signal.aborted) await sleep(session.runtime, PAUSE_MS);
  }
}
