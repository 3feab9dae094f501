import { badRequest, invalid } from '../../api/errors.ts';
import { ownText } from '../../bounds/own-memory.ts';
import { parseYamlOrJson } from '../../codec/parse-body.ts';
import type { Reply } from '../../http/message.ts';
import type { JsonObject } from '../../patch/strategic-directives.ts';
import { Application, type CheckDocument } from '../../registry/application.ts';
import type { Catalogue } from '../../registry/catalogue.ts';
import { Conversions } from '../../registry/conversions.ts';
import { apiVersionOf, unknownIn } from '../../registry/incoming.ts';
import type { ObjectType, ResourceType } from '../../registry/resource-type.ts';
import type { Modification } from '../../registry/update.ts';
import { isTrue } from '../../request/request-info.ts';
import { inSteps, type Rest, restEveryTurn } from '../../runtime/pacing.ts';
import { isObject, withMetadata } from '../../schema/json-object.ts';
import { Problems } from '../../schema/problems.ts';
import { formatFor } from '../format.ts';
import { projectionOf } from '../read/projection.ts';
import type { ResourceContext, Service } from '../service.ts';
import { listedPaths } from './field-validation.ts';
import { readBody, senderOf } from './read-document.ts';
import { readWriteOptions } from './write-options.ts';
import { replyWithChange } from './written.ts';

/** Server-side apply: the document's values win, and whoever applies it owns them. */
export async function handleApply(service: Service, resource: ResourceContext): Promise<Reply> {
  const { context, type, user } = resource;
  const { info } = context;
  const format = formatFor(service, resource);
  const options = readWriteOptions(context, user, service.vocabulary.groups.meta, 'PatchOptions');
  const manager = demandManager(info.query.get('fieldManager') ?? '', service.vocabulary.groups.meta);
  const body = await readBody(service, context);
  const target = projectionOf(type, info.subresource)?.type ?? type;
  const rest = restEveryTurn(service.runtime);
  const { value, repeated } = await parseYamlOrJson(body, rest, senderOf(context));
  await rest();
  context.record?.document(value);
  options.fields.noteRepeated(repeated);
  const force = isTrue(info.query.get('force'));
  const { subresource, name } = info;
  const sent = { manager, subresource, target, name, value, bytes: body.length, force };
  const { application, change } = applicationOf(service.catalogue, type, sent, rest);
  options.patched = true;
  options.fieldManager = manager;
  options.apply = application;
  return replyWithChange(service, resource, change, options, format);
}

/** A document as it was sent to be applied. */
export interface SentApplication {
  readonly manager: string;
  readonly subresource: string;
  /** What the document is. */
  readonly target: ObjectType;
  readonly name: string;
  readonly value: unknown;
  /** How long it was. */
  readonly bytes: number;
  readonly force: boolean;
}

/** What applying a document is to the object of a type, and what that makes of whatever is there. */
export function applicationOf(
  catalogue: Catalogue,
  type: ResourceType,
  { manager, subresource, target, name, value, bytes, force }: SentApplication,
  rest: Rest,
): { readonly application: Application; readonly change: Modification } {
  const applier = { manager, operation: 'Apply', apiVersion: apiVersionOf(target), subresource } as const;
  const conversions = Conversions.of(catalogue.kindOf(type));
  const application = new Application({
    conversions,
    stored: type,
    type: target,
    applier,
    document: readDocument(target, value, name),
    bytes,
    force,
    check: (...all) => refuseUnknown(target, ...all),
    servedAs: (...asked) => catalogue.servedAs(...asked),
  });
  const apply: Modification = (...live) => inSteps(application.applyTo(...live), rest);
  const change: Modification = (...live) => (conversions ? conversions.run(() => apply(...live)) : apply(...live));
  return { application, change };
}

function demandManager(manager: string, metaGroup: string): string {
  if (manager !== '') return ownText(manager);
  const problems = new Problems();
  problems.required('fieldManager', 'is required for apply patch');
  throw invalid(metaGroup, 'PatchOptions', '', problems.found);
}

/** The document as it was sent, once it is known to claim to be one of the type. */
function readDocument(type: ObjectType, document: unknown, name: string): JsonObject {
  if (!isObject(document)) throw badRequest(`an applied document must be a ${type.kind} object`);
  const { apiVersion, kind, metadata = {} } = document;
  const expected = apiVersionOf(type);
  if (apiVersion !== expected) {
    const specified = typeof apiVersion === 'string' ? apiVersion : '';
    throw badRequest(
      `Incorrect version specified in apply patch. Specified patch version: ${specified}, expected: ${expected}`,
    );
  }
  if (kind !== type.kind) throw badRequest(`an applied document must say kind ${type.kind}`);
  if (!isObject(metadata)) throw badRequest('metadata must be an object');
  if (metadata.managedFields !== undefined && metadata.managedFields !== null) {
    throw badRequest('metadata.managedFields must be nil');
  }
  const named: JsonObject = { ...metadata };
  named.name ??= ownText(name);
  return withMetadata(document, named);
}

/** The refusal of a document that is not what its kind declares. */
function untyped(type: ObjectType, { metadata }: JsonObject, problem: string): string {
  const { namespace = '', name = '' } = isObject(metadata) ? metadata : {};
  const kind = `${apiVersionOf(type).includes('/') ? '' : '/'}${apiVersionOf(type)}, Kind=${type.kind}`;
  return `failed to create typed patch object (${namespace}/${name}; ${kind}): ${problem}`;
}

function refuseUnknown(type: ObjectType, ...[document, last]: Parameters<CheckDocument>): void {
  const unknown = unknownIn(type, document, last);
  if (unknown.length === 0) return;
  const texts = listedPaths(unknown).map((path) => `.${path}: field not declared in schema`);
  throw badRequest(untyped(type, document, texts.length === 1 ? texts.join() : ['errors:', ...texts].join('\n  ')));
}
