import type { Format } from '../../codec/negotiation.ts';
import { protobufListOf, sizeOfItem } from '../../codec/protobuf.ts';
import type { Reply } from '../../http/message.ts';
import { ListMeta } from '../../meta/object-meta.ts';
import { apiVersionOf } from '../../registry/incoming.ts';
import type { OpenList } from '../../registry/read.ts';
import { storedIn } from '../../registry/renderings.ts';
import { listKindOf, type ResourceType } from '../../registry/resource-type.ts';
import { fromHub } from '../../registry/versions.ts';
import type { Query } from '../../request/request-info.ts';
import { restEveryTurn } from '../../runtime/pacing.ts';
import { encodeMessage } from '../../schema/derive/protobuf.ts';
import type { Version } from '../../storage/log/version.ts';
import { listed, messagesFor, metaVersionOf } from '../render.ts';
import { replyWithBody } from '../respond.ts';
import type { Service } from '../service.ts';
import { type ListBytes, ListStream } from './list-stream.ts';
import { listText } from './list-text.ts';
import { partialMetadata, TableRenderer } from './table.ts';

/** A long list as the client asked for it. */
export async function replyWithLongList(
  service: Service,
  type: ResourceType,
  list: OpenList,
  format: Format,
  query: Query,
): Promise<Reply> {
  const metadata = { resourceVersion: String(list.revision), continue: '' };
  const bytes =
    format.media === 'protobuf'
      ? await binaryBytes(service, type, list, metadata, format)
      : await listBytes(service, type, metadata, format, query);
  // By the time that it is sent there may be more or fewer.
  const looked = service.objects.count(type);
  const counted = (items: number): void => service.listMeter(type).read(Math.max(looked, items), items);
  return replyWithBody(200, new ListStream(service.runtime, list.entries, bytes, counted), format);
}

const NOTHING = Buffer.alloc(0);
const ENTRIES_PER_REST = 16;

/**
 * A message says how long it is before anything else: so all items are encoded once to be measured, and again when they are
 * sent. To keep them meanwhile would be to hold the whole list.
 */
async function binaryBytes(
  service: Service,
  type: ResourceType,
  { again }: OpenList,
  metadata: object,
  format: Format,
): Promise<ListBytes> {
  const messages = messagesFor(service, type, format);
  const rest = restEveryTurn(service.runtime);
  let size = 0;
  for (const entries = again(); !entries.done; await rest()) {
    for (const version of entries.next(ENTRIES_PER_REST)) size += sizeOfItem(messages.of(storedIn(version)));
  }
  const { apiVersion, kind } = messages;
  const encoding = protobufListOf(apiVersion, `${kind}List`, encodeMessage(ListMeta, metadata), size);
  const item = (version: Version): Buffer[] => {
    const message = messages.of(storedIn(version));
    const bytes = Buffer.allocUnsafe(sizeOfItem(message));
    encoding.write(message, 0, bytes, 0);
    return [bytes];
  };
  return { head: encoding.head, between: NOTHING, tail: encoding.tail, item };
}

function listBytes(
  service: Service,
  type: ResourceType,
  metadata: object,
  format: Format,
  query: Query,
): Promise<ListBytes> {
  if (format.rendering === 'table') return tableBytes(service, type, metadata, format, query);
  if (format.rendering === 'metadata') return metadataBytes(service, metadata, format);
  return objectBytes(service, type, metadata, format);
}

async function objectBytes(
  { objects }: Service,
  type: ResourceType,
  metadata: object,
  format: Format,
): Promise<ListBytes> {
  const apiVersion = apiVersionOf(type);
  const text = await listText(format, { kind: listKindOf(type), apiVersion, metadata }, 'items');
  if (format.media === 'json' && !format.indented) {
    if (type.repeatsType) return { ...text, item: (version) => [objects.renderings.lentIn(type, version)] };
    const said = Buffer.byteLength(`{"kind":"${type.kind}","apiVersion":"${apiVersion}",`);
    // The list says for all of its items what each of them begins with.
    return { ...text, item: (version) => [OPEN, objects.renderings.lentIn(type, version).subarray(said)] };
  }
  return { ...text, item: (version) => [text.item(listed(type, fromHub(type, objects.once(version))))] };
}

const OPEN = Buffer.from('{');

async function metadataBytes(service: Service, metadata: object, format: Format): Promise<ListBytes> {
  const apiVersion = metaVersionOf(service, format);
  const envelope = { kind: 'PartialObjectMetadataList', apiVersion, metadata };
  const text = await listText(format, envelope, 'items');
  return { ...text, item: (version) => [text.item(partialMetadata(service.objects.once(version), apiVersion))] };
}

async function tableBytes(
  service: Service,
  type: ResourceType,
  metadata: object,
  format: Format,
  query: Query,
): Promise<ListBytes> {
  const renderer = new TableRenderer(type, format, query, service.vocabulary, service.runtime.now());
  const text = await listText(format, renderer.head(metadata), 'rows');
  return { ...text, item: (version) => [text.item(renderer.row(service.objects.once(version)))] };
}
