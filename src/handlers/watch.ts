import { expired, invalid } from '../errors.ts';
import type { Reply } from '../http/message.ts';
import type { Selection } from '../registry/facets.ts';
import { namespacePrefix } from '../registry/keys.ts';
import { parseRevision } from '../registry/read.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { type StoredBytes, storedIn } from '../registry/versions.ts';
import { isTrue, type Query } from '../request/request-info.ts';
import { Problems } from '../schema/problems.ts';
import type { Version } from '../storage/version.ts';
import { HistoryGone, type Subscription, type VersionLog } from '../storage/version-log.ts';
import { type EventEncoding, eventEncoding } from './event-encoding.ts';
import { formatFor } from './format.ts';
import { replyWithBody } from './respond.ts';
import { readSelection } from './selection.ts';
import type { ResourceContext, Service } from './service.ts';
import { plainType, selectedEvent } from './watch-events.ts';
import { type EventType, sharedFrames } from './watch-frames.ts';
import { type EventWriter, WatchStream } from './watch-stream.ts';

/** A watch without a timeout of its own ends after half an hour to an hour, so that clients spread over servers. */
const SHORTEST_MS = 1_800_000;

export async function handleWatch(service: Service, resource: ResourceContext): Promise<Reply> {
  const { context, type } = resource;
  const { info } = context;
  const { query } = info;
  const format = formatFor(service, resource, 'watch');
  refuseMatch(query, service.vocabulary.groups.meta);
  const { log } = service.registry;
  const scope = scopeOf(type, info.namespace, info.name);
  const selection = readSelection(type, query);
  const start = await startOf(log, type, scope, query, selection);
  const writer = writerFor(eventEncoding(service, type, format, query), log, selection);
  let subscription: Subscription | undefined;
  const stream = new WatchStream({
    runtime: service.runtime,
    writer,
    initial: start.initial,
    bookmarks: isTrue(query.get('allowWatchBookmarks')),
    timeoutMs: timeoutOf(query, service),
    onClose: () => subscription?.close(),
  });
  subscription = subscribe(log, type, scope, start.revision, stream);
  return replyWithBody(200, stream, format);
}

/** A watch begins where its version says; how lists may match versions makes no sense for it. */
function refuseMatch(query: Query, metaGroup: string): void {
  if (!query.get('resourceVersionMatch')) return;
  const problems = new Problems();
  problems.forbidden('resourceVersionMatch', 'resourceVersionMatch is forbidden for watch');
  throw invalid(metaGroup, 'ListOptions', '', problems.found);
}

/** One object, one namespace, or the whole collection. */
function scopeOf(type: ResourceType, namespace: string, name: string): string {
  const prefix = namespacePrefix(type, namespace);
  return name !== '' && (prefix !== '' || !type.namespaced) ? `${prefix}${name}` : prefix;
}

function subscribe(
  log: VersionLog,
  type: ResourceType,
  scope: string,
  after: number,
  stream: WatchStream,
): Subscription {
  try {
    return log.subscribe(type.collection, { after, scope }, stream);
  } catch (error) {
    if (!(error instanceof HistoryGone)) throw error;
    throw expired(`too old resource version: ${error.wanted} (${error.compacted})`);
  }
}

interface Start {
  readonly revision: number;
  readonly initial: readonly Version[];
}

/** Unset and `0` begin with what is there, a version begins right after it. */
async function startOf(
  log: VersionLog,
  type: ResourceType,
  scope: string,
  query: Query,
  selection: Selection | undefined,
): Promise<Start> {
  const resourceVersion = query.get('resourceVersion') ?? '';
  if (resourceVersion !== '' && resourceVersion !== '0')
    return { revision: parseRevision(resourceVersion), initial: [] };
  if (resourceVersion === '') await log.current();
  const { revision } = log;
  const present = currentOf(log, type, scope);
  return { revision, initial: selection ? present.filter(selection) : present };
}

function currentOf(log: VersionLog, type: ResourceType, scope: string): Version[] {
  if (scope === '' || scope.endsWith('/')) return log.list(type.collection, { prefix: scope });
  const version = log.get(`/${type.collection}/${scope}`);
  return version ? [version] : [];
}

function timeoutOf(query: Query, { runtime }: Service): number {
  const seconds = Number(query.get('timeoutSeconds') ?? '0');
  return seconds > 0 ? seconds * 1000 : SHORTEST_MS * (1 + runtime.random());
}

/** What a watcher of the selection is sent. */
function writerFor(encoding: EventEncoding, log: VersionLog, selection: Selection | undefined): EventWriter {
  const anew = (type: EventType, stored: StoredBytes): Buffer => encoding.frame(type, encoding.object(stored));
  const ofVersion = (type: EventType, version: Version): Buffer => anew(type, storedIn(version));
  const frames = encoding.name === undefined ? undefined : sharedFrames(log, encoding.name);
  const ofChange = frames ? (type: EventType, version: Version) => frames.of(type, version, ofVersion) : ofVersion;
  const selected = (version: Version): Buffer[] => {
    const event = selection ? selectedEvent(version, selection) : { type: plainType(version), bytes: version.bytes };
    if (!event) return [];
    const { type, bytes } = event;
    return [bytes === version.bytes ? ofChange(type, version) : anew(type, { bytes })];
  };
  return {
    bookmark: () => encoding.frame('BOOKMARK', encoding.mark(log.revision)),
    initial: (version) => ofVersion('ADDED', version),
    changes:
      frames && !selection
        ? (versions) => frames.ofBatch(versions, plainType, ofVersion)
        : (versions) => Buffer.concat(versions.flatMap(selected)),
  };
}
