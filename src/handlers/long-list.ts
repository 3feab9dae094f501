import type { Format } from '../codec/negotiation.ts';
import type { Reply } from '../http/message.ts';
import { apiVersionOf } from '../registry/incoming.ts';
import type { OpenList } from '../registry/read.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { fromHub } from '../registry/versions.ts';
import type { Query } from '../request/request-info.ts';
import { type ListBytes, ListStream } from './list-stream.ts';
import { listText } from './list-text.ts';
import { metaVersionOf, withoutType } from './render.ts';
import { replyWithBody } from './respond.ts';
import type { Service } from './service.ts';
import { partialMetadata, TableRenderer } from './table.ts';

/** A long list as the client asked for it, in any form but binary. */
export async function replyWithLongList(
  service: Service,
  type: ResourceType,
  { revision, entries }: OpenList,
  format: Format,
  query: Query,
): Promise<Reply> {
  const metadata = { resourceVersion: String(revision), continue: '' };
  const bytes = await listBytes(service, type, metadata, format, query);
  return replyWithBody(200, new ListStream(service.runtime, entries, bytes), format);
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
  const text = await listText(format, { kind: `${type.kind}List`, apiVersion, metadata }, 'items');
  if (format.media === 'json' && !format.indented) {
    const said = Buffer.byteLength(`{"kind":"${type.kind}","apiVersion":"${apiVersion}",`);
    return { ...text, item: (version) => withoutStart(objects.renderings.versionIn(type, version), said) };
  }
  return { ...text, item: (version) => text.item(withoutType(fromHub(type, objects.once(version)))) };
}

const OPEN = '{'.charCodeAt(0);

/** The list says for all of its items what each of them begins with. */
function withoutStart(bytes: Buffer, length: number): Buffer {
  const item = Buffer.allocUnsafe(bytes.length - length + 1);
  bytes.copy(item, 1, length);
  item[0] = OPEN;
  return item;
}

async function metadataBytes(service: Service, metadata: object, format: Format): Promise<ListBytes> {
  const apiVersion = metaVersionOf(service, format);
  const envelope = { kind: 'PartialObjectMetadataList', apiVersion, metadata };
  const text = await listText(format, envelope, 'items');
  return { ...text, item: (version) => text.item(partialMetadata(service.objects.once(version), apiVersion)) };
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
  return { ...text, item: (version) => text.item(renderer.row(service.objects.once(version))) };
}
