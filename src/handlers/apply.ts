import { decodeOwners } from '../apply/owners.ts';
import { applyDocument } from '../apply/ownership.ts';
import { sharingOf } from '../apply/sharing.ts';
import { DuplicateElement } from '../apply/values.ts';
import { parseYamlOrJson } from '../codec/parse-body.ts';
import { badRequest, invalid } from '../errors.ts';
import type { Reply } from '../http/message.ts';
import { isObject, type JsonObject } from '../patch/strategic-directives.ts';
import { apiVersionOf, readObject } from '../registry/incoming.ts';
import type { ApiObject, ObjectType } from '../registry/resource-type.ts';
import type { Change } from '../registry/update.ts';
import { isTrue } from '../request/request-info.ts';
import { Problems } from '../schema/problems.ts';
import { formatFor } from './format.ts';
import { projectionOf } from './projection.ts';
import type { ResourceContext, Service } from './service.ts';
import { readWriteOptions } from './write-options.ts';
import { replyWithChange } from './written.ts';

/** Server-side apply: the document's values win, and whoever applies it owns them. */
export async function handleApply(service: Service, resource: ResourceContext): Promise<Reply> {
  const { context, type, user } = resource;
  const { info, request } = context;
  const format = formatFor(service, resource);
  const options = readWriteOptions(context, user, service.vocabulary.groups.meta, 'PatchOptions');
  const manager = demandManager(info.query.get('fieldManager') ?? '', service.vocabulary.groups.meta);
  const body = await request.readBody(service.limits.bodyBytes);
  const target = projectionOf(type, info.subresource)?.type ?? type;
  const document = readDocument(target, await parseYamlOrJson(body), info.name);
  const force = isTrue(info.query.get('force'));
  const change = changeTo(target, document, manager, info.subresource);
  return replyWithChange(
    service,
    resource,
    change,
    { ...options, patched: true, fieldManager: manager, apply: { document, force } },
    format,
  );
}

function demandManager(manager: string, metaGroup: string): string {
  if (manager !== '') return manager;
  const problems = new Problems();
  problems.required('fieldManager', 'is required for apply patch');
  throw invalid(metaGroup, 'PatchOptions', '', problems.found);
}

/** The document as it was sent, once it is known to be one of the type. Fields the type does not have are refused. */
function readDocument(type: ObjectType, document: unknown, name: string): JsonObject {
  if (!isObject(document)) throw badRequest(`an applied document must be a ${type.kind} object`);
  const { apiVersion, kind, metadata = {} } = document;
  if (apiVersion !== apiVersionOf(type) || kind !== type.kind) {
    throw badRequest(`an applied document must say apiVersion ${apiVersionOf(type)} and kind ${type.kind}`);
  }
  readObject(type, document, {
    onUnknown: (paths) => {
      throw badRequest(`the applied document has fields that a ${type.kind} does not have: ${paths.join(', ')}`);
    },
  });
  if (!isObject(metadata)) throw badRequest('metadata must be an object');
  if (metadata.managedFields !== undefined && metadata.managedFields !== null) {
    throw badRequest('metadata.managedFields must be nil');
  }
  return { ...document, metadata: { ...metadata, name: metadata.name ?? name } };
}

/** What the document makes of whatever is there. */
function changeTo(type: ObjectType, document: JsonObject, manager: string, subresource: string): Change {
  const sharing = sharingOf(type.schema);
  const applier = { manager, operation: 'Apply', apiVersion: apiVersionOf(type), subresource } as const;
  return (current: ApiObject | undefined) => {
    if (!current) return document;
    try {
      return applyDocument(sharing, current, document, decodeOwners(current.metadata.managedFields ?? []), applier);
    } catch (error) {
      if (error instanceof DuplicateElement) throw badRequest(error.message);
      throw error;
    }
  };
}
