import type { Format } from '../codec/negotiation.ts';
import { expired, invalid } from '../errors.ts';
import { headerValue } from '../http/headers.ts';
import type { Reply } from '../http/message.ts';
import { parseObject } from '../registry/encoding.ts';
import type { Selection } from '../registry/facets.ts';
import { apiVersionOf } from '../registry/incoming.ts';
import { namespacePrefix } from '../registry/keys.ts';
import { parseRevision } from '../registry/read.ts';
import type { ApiObject, ResourceType } from '../registry/resource-type.ts';
import { fromHub } from '../registry/versions.ts';
import { isTrue, type Query } from '../request/request-info.ts';
import { canonicalise } from '../schema/derive/canonical.ts';
import { Problems } from '../schema/problems.ts';
import type { Version } from '../storage/version.ts';
import { HistoryGone, type Subscription, type VersionLog } from '../storage/version-log.ts';
import { readSelection } from './selection.ts';
import type { ResourceContext, Service } from './service.ts';
import { partialMetadata, TableRenderer } from './table.ts';
import { plainType, selectedEvent } from './watch-events.ts';
import { type EventType, frame, SharedFrames } from './watch-frames.ts';
import { type EventWriter, WatchStream } from './watch-stream.ts';

/** A watch without a timeout of its own ends after half an hour to an hour, so that clients spread over servers. */
const SHORTEST_MS = 1_800_000;

const sharedFrames = new WeakMap<VersionLog, SharedFrames>();

export async function handleWatch(service: Service, { context, type }: ResourceContext): Promise<Reply> {
  const { info, request } = context;
  const { query } = info;
  const format = service.negotiator.choose(headerValue(request, 'accept'));
  refuseMatch(query, service.vocabulary.groups.meta);
  const { log } = service.registry;
  const scope = scopeOf(type, info.namespace, info.name);
  const selection = readSelection(type, query);
  const start = await startOf(log, type, scope, query, selection);
  const writer = writerFor(service, type, format, query, selection);
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
  return {
    status: 200,
    headers: ['Content-Type', 'application/json', 'Cache-Control', 'no-cache, private'],
    body: stream,
  };
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

function writerFor(
  service: Service,
  type: ResourceType,
  format: Format,
  query: Query,
  selection: Selection | undefined,
): EventWriter {
  const { log } = service.registry;
  const bookmark = () => frame('BOOKMARK', bookmarkOf(type, log.revision));
  if (format.rendering === 'object' && !type.conversion) return plainWriter(framesOf(log), selection, bookmark);
  const render = rendererFor(service, type, format, query);
  return renderingWriter(render, selection, bookmark);
}

function framesOf(log: VersionLog): SharedFrames {
  const known = sharedFrames.get(log);
  if (known) return known;
  const frames = new SharedFrames();
  sharedFrames.set(log, frames);
  return frames;
}

/** An object of the kind that holds nothing but the version up to which everything was sent. */
function bookmarkOf(type: ResourceType, revision: number): Buffer {
  const draft = { kind: type.kind, apiVersion: apiVersionOf(type), metadata: { resourceVersion: String(revision) } };
  return Buffer.from(JSON.stringify(canonicalise(type.schema, draft).value));
}

function plainWriter(frames: SharedFrames, selection: Selection | undefined, bookmark: () => Buffer): EventWriter {
  const initial = (version: Version): Buffer => frame('ADDED', version.bytes);
  if (!selection) return { initial, bookmark, changes: (versions) => frames.ofBatch(versions, plainType) };
  return {
    initial,
    bookmark,
    changes: (versions) =>
      Buffer.concat(
        versions.flatMap((version) => {
          const event = selectedEvent(version, selection);
          if (!event) return [];
          return [event.bytes === version.bytes ? frames.of(event.type, version) : frame(event.type, event.bytes)];
        }),
      ),
  };
}

type Render = (object: ApiObject) => object;

function rendererFor(service: Service, type: ResourceType, format: Format, query: Query): Render {
  const { vocabulary, runtime } = service;
  if (format.rendering === 'object') return (object) => fromHub(type, object);
  if (format.rendering === 'metadata') {
    const apiVersion = `${vocabulary.groups.meta}/${format.metaVersion}`;
    return (object) => partialMetadata(object, apiVersion);
  }
  let first = true;
  return (object) => {
    const renderer = new TableRenderer(type, format, query, vocabulary, runtime.now());
    const table = renderer.table([object], { resourceVersion: object.metadata.resourceVersion }, first);
    first = false;
    return table;
  };
}

function renderingWriter(render: Render, selection: Selection | undefined, bookmark: () => Buffer): EventWriter {
  const event = (type: EventType, bytes: Buffer): Buffer =>
    frame(type, Buffer.from(JSON.stringify(render(parseObject(bytes)))));
  return {
    bookmark,
    initial: (version) => event('ADDED', version.bytes),
    changes: (versions) =>
      Buffer.concat(
        versions.flatMap((version) => {
          const seen = selection
            ? selectedEvent(version, selection)
            : { type: plainType(version), bytes: version.bytes };
          return seen ? [event(seen.type, seen.bytes)] : [];
        }),
      ),
  };
}
