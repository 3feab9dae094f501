import { badRequest } from '../../api/errors.ts';
import { jsonList } from '../../codec/list-encoding.ts';
import type { Format } from '../../codec/negotiation.ts';
import { protobufList } from '../../codec/protobuf.ts';
import type { Reply } from '../../http/message.ts';
import { ListMeta } from '../../meta/object-meta.ts';
import { apiVersionOf } from '../../registry/incoming.ts';
import type { Messages } from '../../registry/messages.ts';
import type { ListResult } from '../../registry/read.ts';
import { storedIn } from '../../registry/renderings.ts';
import { listKindOf, type ResourceType } from '../../registry/resource-type.ts';
import type { Query } from '../../request/request-info.ts';
import { type Rest, restEveryTurn } from '../../runtime/pacing.ts';
import { encodeMessage } from '../../schema/derive/protobuf.ts';
import type { Version } from '../../storage/log/version.ts';
import { formatFor } from '../format.ts';
import { messagesFor, replyWithObjects } from '../render.ts';
import { isIndented, replyWithBody, replyWithJson } from '../respond.ts';
import type { ResourceContext, Service } from '../service.ts';
import { ListBody } from './list-body.ts';
import { replyWithLongList } from './long-list.ts';
import { readSelection } from './selection.ts';

/** Lists up to this size are sent in one piece, larger ones bit by bit as the client takes them. */
const WHOLE_LIST_BYTES = 64 << 10;

const ITEMS_PER_REST = 32;

export async function handleList(service: Service, resource: ResourceContext): Promise<Reply> {
  const { context, type } = resource;
  const { query, namespace } = context.info;
  const format = formatFor(service, resource, 'list');
  const options = {
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    limit: service.features.isOn('APIListChunking') ? readLimit(query) : 0,
    continue: query.get('continue') ?? '',
    selection: readSelection(type, query),
    sendInitialEvents: query.has('sendInitialEvents'),
    deadline: context.deadline,
  };
  const long = await service.objects.readLongList(type, namespace, options);
  if (long) return replyWithLongList(service, type, long, format, query);
  const result = await service.objects.readList(type, namespace, options);
  service.listMeter(type).read(result.looked ?? result.items.length, result.items.length);
  const tellsRest = service.features.isOn('RemainingItemCount');
  return replyWithPage(service, resource, tellsRest ? result : { ...result, remaining: undefined }, format);
}

/** A page of a list as the client asked for it. */
export async function replyWithPage(
  service: Service,
  { context, type }: ResourceContext,
  result: ListResult,
  format: Format,
): Promise<Reply> {
  const { query } = context.info;
  if (format.media === 'protobuf') {
    return replyWithList(await binaryBody(service, type, result, format), format);
  }
  if (format.rendering !== 'object') {
    const objects = result.items.map((version) => service.objects.once(version));
    return replyWithObjects(service, type, objects, listMeta(result), format, query);
  }
  const body = jsonBody(service, type, result);
  const asItIs = format.media === 'json' && !isIndented(body.length, format);
  return asItIs ? replyWithList(body, format) : replyWithJson(200, body.join(), format);
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

function jsonBody({ objects }: Service, type: ResourceType, result: ListResult): ListBody {
  const items = result.items.map((version) => objects.renderings.versionIn(type, version));
  const itemKind = type.repeatsType ? undefined : type.kind;
  const name = { apiVersion: apiVersionOf(type), kind: listKindOf(type), itemKind };
  return new ListBody(jsonList(name, listMeta(result)), items);
}

async function binaryBody(service: Service, type: ResourceType, result: ListResult, format: Format): Promise<ListBody> {
  const messages = messagesFor(service, type, format);
  const items = await binaryItems(messages, result.items, restEveryTurn(service.runtime));
  const metadata = encodeMessage(ListMeta, listMeta(result));
  return new ListBody(protobufList(messages.apiVersion, `${messages.kind}List`, metadata, items), items);
}

/** Whoever is first to want many objects in binary has them all encoded, which must not keep others waiting. */
async function binaryItems(messages: Messages, versions: readonly Version[], rest: Rest): Promise<Buffer[]> {
  const items: Buffer[] = [];
  for (const version of versions) {
    items.push(messages.of(storedIn(version)));
    if (items.length % ITEMS_PER_REST === 0) await rest();
  }
  return items;
}

const replyWithList = (body: ListBody, format: Format): Reply =>
  replyWithBody(200, body.length <= WHOLE_LIST_BYTES ? body.join() : body, format);
