import type { Format } from '../codec/negotiation.ts';
import type { Reply } from '../http/message.ts';
import { parseObject } from '../registry/encoding.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { Query } from '../request/request-info.ts';
import { replyWithJson, replyWithValue } from './respond.ts';
import type { Service } from './service.ts';
import { partialMetadata, TableRenderer } from './table.ts';

/** One object, in the form the client asked for. */
export async function replyWithObject(
  service: Service,
  type: ResourceType,
  status: number,
  bytes: Buffer,
  format: Format,
  query: Query,
): Promise<Reply> {
  if (format.rendering === 'object') return replyWithJson(status, bytes, format, query);
  const object = parseObject(bytes);
  const { vocabulary, runtime } = service;
  if (format.rendering === 'metadata') {
    const apiVersion = `${vocabulary.groups.meta}/${format.metaVersion}`;
    return replyWithValue(status, partialMetadata(object, apiVersion), format, query);
  }
  const renderer = new TableRenderer(type, format, query, vocabulary, runtime.now());
  const { resourceVersion } = object.metadata;
  return replyWithValue(status, renderer.table([object], { resourceVersion }), format, query);
}
