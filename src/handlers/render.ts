import type { Format } from '../codec/negotiation.ts';
import { envelop } from '../codec/protobuf.ts';
import type { Reply } from '../http/message.ts';
import { listOf } from '../meta/list.ts';
import { PartialObjectMetadata } from '../meta/partial-object-metadata.ts';
import { isLong } from '../registry/encoding.ts';
import { apiVersionOf } from '../registry/incoming.ts';
import { type Messages, metadataMessages, objectMessages } from '../registry/messages.ts';
import type { StoredBytes } from '../registry/renderings.ts';
import { type ApiObject, listKindOf, type ObjectType } from '../registry/resource-type.ts';
import { fromHub } from '../registry/versions.ts';
import type { Query } from '../request/request-info.ts';
import { type Rest, restEveryTurn } from '../runtime/pacing.ts';
import { partialMetadata, TableRenderer } from './read/table.ts';
import { replyWithBody, replyWithJson, replyWithTyped, replyWithValue } from './respond.ts';
import type { Service } from './service.ts';

/** What stored objects are in binary, for a format that is. */
export const messagesFor = (service: Service, type: ObjectType, format: Format): Messages =>
  format.rendering === 'metadata'
    ? metadataMessages(service.objects.renderings, metaVersionOf(service, format))
    : objectMessages(service.objects.renderings, type);

/** The version of the meta group that a rendering is of. */
export const metaVersionOf = ({ vocabulary }: Service, { metaVersion }: Format): string =>
  `${vocabulary.groups.meta}/${metaVersion}`;

/** One stored object, in the version and form the client asked for. */
export async function replyWithObject(
  service: Service,
  type: ObjectType,
  status: number,
  stored: StoredBytes,
  format: Format,
  query: Query,
): Promise<Reply> {
  if (format.media === 'protobuf') {
    const messages = messagesFor(service, type, format);
    return replyWithBody(status, envelop(messages.apiVersion, messages.kind, messages.of(stored)), format);
  }
  if (format.rendering === 'object')
    return replyWithJson(status, service.objects.renderings.bytesIn(type, stored), format);
  const rest = restEveryTurn(service.runtime);
  const object = await service.objects.inBytesWithRests(stored, rest);
  await rest();
  return replyWithRendering(
    service,
    type,
    status,
    object,
    format,
    query,
    isLong(stored.bytes.length) ? rest : undefined,
  );
}

/** One object that is not stored as it is sent, in the form the client asked for. It must be canonical. */
export const replyWithTransient = (
  service: Service,
  type: ObjectType,
  status: number,
  object: ApiObject,
  format: Format,
  query: Query,
): Promise<Reply> =>
  format.rendering === 'object'
    ? replyWithTyped(status, type.schema, object, format)
    : replyWithRendering(service, type, status, object, format, query);

function replyWithRendering(
  service: Service,
  type: ObjectType,
  status: number,
  object: ApiObject,
  format: Format,
  query: Query,
  rest?: Rest,
): Promise<Reply> {
  if (format.rendering === 'metadata') {
    const metadata = partialMetadata(object, metaVersionOf(service, format));
    return replyWithTyped(status, PartialObjectMetadata, metadata, format, rest);
  }
  const { resourceVersion } = object.metadata;
  const renderer = new TableRenderer(type, format, query, service.vocabulary, service.runtime.now());
  return replyWithValue(status, renderer.table([object], { resourceVersion }), format, rest);
}

/** A list of objects of the stored version, in the version and form the client asked for. They must be canonical. */
export function replyWithObjects(
  service: Service,
  type: ObjectType,
  objects: readonly ApiObject[],
  metadata: object,
  format: Format,
  query: Query,
): Promise<Reply> {
  if (format.rendering === 'table') {
    const renderer = new TableRenderer(type, format, query, service.vocabulary, service.runtime.now());
    return replyWithValue(200, renderer.table(objects, metadata), format);
  }
  if (format.rendering === 'metadata') {
    const apiVersion = metaVersionOf(service, format);
    const items = objects.map((object) => partialMetadata(object, apiVersion));
    const list = { kind: 'PartialObjectMetadataList', apiVersion, metadata, items };
    return replyWithTyped(200, listOf(PartialObjectMetadata), list, format);
  }
  const items = objects.map((object) => listed(type, fromHub(type, object)));
  const list = { kind: listKindOf(type), apiVersion: apiVersionOf(type), metadata, items };
  return replyWithTyped(200, listOf(type.schema), list, format);
}

/** An object as an item of a list, which has the kind and version for all of them. */
export function listed({ repeatsType }: ObjectType, object: ApiObject): object {
  if (repeatsType) return object;
  const { kind: _kind, apiVersion: _apiVersion, ...item } = object;
  return item;
}
