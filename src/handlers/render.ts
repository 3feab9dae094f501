import type { Format } from '../codec/negotiation.ts';
import type { Reply } from '../http/message.ts';
import { parseObject } from '../registry/encoding.ts';
import type { ApiObject, ObjectType } from '../registry/resource-type.ts';
import { bytesIn, type StoredBytes } from '../registry/versions.ts';
import type { Query } from '../request/request-info.ts';
import { replyWithJson, replyWithValue } from './respond.ts';
import type { Service } from './service.ts';
import { partialMetadata, TableRenderer } from './table.ts';

/** One stored object, in the version and form the client asked for. */
export async function replyWithObject(
  service: Service,
  type: ObjectType,
  status: number,
  stored: StoredBytes,
  format: Format,
  query: Query,
): Promise<Reply> {
  if (format.rendering === 'object') return replyWithJson(status, bytesIn(type, stored), format, query);
  return replyWithValue(status, rendered(service, type, parseObject(stored.bytes), format, query), format, query);
}

/** One object that is not stored as it is sent, in the form the client asked for. It must be canonical. */
export const replyWithTransient = (
  service: Service,
  type: ObjectType,
  status: number,
  object: ApiObject,
  format: Format,
  query: Query,
): Promise<Reply> => replyWithValue(status, rendered(service, type, object, format, query), format, query);

function rendered(
  { vocabulary, runtime }: Service,
  type: ObjectType,
  object: ApiObject,
  format: Format,
  query: Query,
): object {
  if (format.rendering === 'object') return object;
  if (format.rendering === 'metadata')
    return partialMetadata(object, `${vocabulary.groups.meta}/${format.metaVersion}`);
  const { resourceVersion } = object.metadata;
  return new TableRenderer(type, format, query, vocabulary, runtime.now()).table([object], { resourceVersion });
}
