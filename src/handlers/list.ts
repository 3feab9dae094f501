import type { Format } from '../codec/negotiation.ts';
import { badRequest } from '../errors.ts';
import { headerValue } from '../http/headers.ts';
import type { Reply } from '../http/message.ts';
import { parseObject } from '../registry/encoding.ts';
import { apiVersionOf } from '../registry/incoming.ts';
import type { ListResult } from '../registry/read.ts';
import type { ApiObject, ResourceType } from '../registry/resource-type.ts';
import type { Query } from '../request/request-info.ts';
import { joinList, ListBody } from './list-body.ts';
import { replyWithJson, replyWithValue } from './respond.ts';
import { readSelection } from './selection.ts';
import type { ResourceContext, Service } from './service.ts';
import { partialMetadata, TableRenderer } from './table.ts';

/** Lists up to this size are sent in one piece, larger ones bit by bit as the client takes them. */
const WHOLE_LIST_BYTES = 1 << 20;

export async function handleList(service: Service, { context, type }: ResourceContext): Promise<Reply> {
  const { info, request } = context;
  const { query } = info;
  const format = service.negotiator.choose(headerValue(request, 'accept'), 'list');
  const result = await service.registry.list(type, info.namespace, {
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    limit: readLimit(query),
    continue: query.get('continue') ?? '',
    selection: readSelection(type, query),
  });
  if (format.rendering === 'object') return replyWithItems(type, result, format, query);
  const objects = result.items.map(({ bytes }) => parseObject(bytes));
  return replyWithRenderedList(service, type, objects, listMeta(result), format, query);
}

export function readLimit(query: Query): number {
  const text = query.get('limit');
  if (text === null || text === '') return 0;
  if (!/^-?\d{1,15}$/.test(text)) throw badRequest(`limit: ${JSON.stringify(text)} is not a number`);
  return Math.max(0, Number(text));
}

const listMeta = ({ revision, remaining, ...result }: ListResult): object => ({
  resourceVersion: String(revision),
  continue: result.continue,
  ...(remaining === undefined ? {} : { remainingItemCount: remaining }),
});

async function replyWithItems(type: ResourceType, result: ListResult, format: Format, query: Query): Promise<Reply> {
  const meta = JSON.stringify(listMeta(result));
  const head = `{"kind":"${type.kind}List","apiVersion":"${apiVersionOf(type)}","metadata":${meta},"items":[`;
  const body = new ListBody(type, Buffer.from(head), result.items);
  if (body.size <= WHOLE_LIST_BYTES || format.media !== 'json' || query.has('pretty')) {
    return replyWithJson(200, joinList(body), format, query);
  }
  return { status: 200, headers: ['Content-Type', format.contentType, 'Cache-Control', 'no-cache, private'], body };
}

/** A list of objects as a table, or of their metadata alone. */
export function replyWithRenderedList(
  { vocabulary, runtime }: Service,
  type: ResourceType,
  objects: readonly ApiObject[],
  metadata: object,
  format: Format,
  query: Query,
): Promise<Reply> {
  if (format.rendering === 'table') {
    const renderer = new TableRenderer(type, format, query, vocabulary, runtime.now());
    return replyWithValue(200, renderer.table(objects, metadata), format, query);
  }
  const apiVersion = `${vocabulary.groups.meta}/${format.metaVersion}`;
  const items = objects.map((object) => partialMetadata(object, apiVersion));
  return replyWithValue(200, { kind: 'PartialObjectMetadataList', apiVersion, metadata, items }, format, query);
}
