import { ApiError, badRequest, unsupportedMediaType } from '../../api/errors.ts';
import { MalformedBody } from '../../codec/malformed-body.ts';
import { APPLY_MEDIA_TYPE } from '../../codec/media-types.ts';
import { mediaTypeOf, readJson, type SentDocument } from '../../codec/parse-body.ts';
import type { Reply } from '../../http/message.ts';
import { PatchFailed, PatchTooLong } from '../../patch/json-draft.ts';
import { applyJsonPatchInSteps, MalformedPatch, parseJsonPatch, unknownInJsonPatch } from '../../patch/json-patch.ts';
import { mergePatch } from '../../patch/merge-patch.ts';
import { type JsonObject, StrategicPatchError } from '../../patch/strategic-directives.ts';
import { strategicMergeInSteps } from '../../patch/strategic-merge.ts';
import type { ObjectType } from '../../registry/resource-type.ts';
import type { Modification } from '../../registry/update.ts';
import { inSteps, type Rest, restEveryTurn, type Steps } from '../../runtime/pacing.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { mergePlan } from '../../schema/derive/merge-plan.ts';
import { isObject } from '../../schema/json-object.ts';
import { REDACTED } from '../../schema/problems.ts';
import { formatFor } from '../format.ts';
import { projectionOf } from '../read/projection.ts';
import type { ResourceContext, Service } from '../service.ts';
import { handleApply } from './apply.ts';
import { type FieldValidation, strictPatchRefusal } from './field-validation.ts';
import { readBody } from './read-document.ts';
import { contentTypeOf, readWriteOptions } from './write-options.ts';
import { replyWithChange } from './written.ts';

/** Reads a patch document once; the change it gives may be applied several times, and rests now and then. */
type PatchReader = (document: unknown, type: ObjectType, fields: FieldValidation) => Patching;
type Patching = (current: object, rest: Rest) => unknown | Promise<unknown>;

const readJsonPatch: PatchReader = (document, _type, fields) => {
  const operations = parseJsonPatch(document);
  fields.noteUnknown(unknownInJsonPatch(document), JSON_PATCH);
  return (current, rest) => inSteps(applyJsonPatchInSteps(current, operations), rest);
};

const readMergePatch: PatchReader = (document) => {
  const patch = demandObject(document);
  return (current) => mergePatch(current, patch);
};

const readStrategicPatch: PatchReader = (document, { schema }) => {
  // Clients of the original may send `null`, which changes nothing.
  const patch = demandObject(document ?? {});
  return (current, rest) => inSteps(strategicMergeInSteps({ ...current }, patch, mergePlan(schema)), rest);
};

/** What is said of fields that are not those of an object. */
const JSON_PATCH = 'json patch ';

/** By content type. A map, because clients choose the word: an object would know `constructor` too. */
const PLAIN_PATCHES: ReadonlyMap<string, PatchReader> = new Map([
  ['application/json-patch+json', readJsonPatch],
  ['application/merge-patch+json', readMergePatch],
]);
const PATCHES: ReadonlyMap<string, PatchReader> = new Map([
  ...PLAIN_PATCHES,
  ['application/strategic-merge-patch+json', readStrategicPatch],
]);

const patchesOf = ({ plainPatches }: ObjectType): ReadonlyMap<string, PatchReader> =>
  plainPatches ? PLAIN_PATCHES : PATCHES;

function demandObject(document: unknown): JsonObject {
  if (isObject(document)) return document;
  throw new MalformedPatch('a merge patch is an object');
}

export async function handlePatch(service: Service, resource: ResourceContext): Promise<Reply> {
  const { context, type, user } = resource;
  const format = formatFor(service, resource);
  const mediaType = mediaTypeOf(contentTypeOf(context));
  if (mediaType === APPLY_MEDIA_TYPE) return handleApply(service, resource);
  const patches = patchesOf(type);
  const reader = patches.get(mediaType);
  if (!reader) throw unsupportedMediaType([...patches.keys(), APPLY_MEDIA_TYPE]);
  const { vocabulary } = service;
  const refusal = strictPatchRefusal(vocabulary);
  const options = readWriteOptions(context, user, vocabulary.groups.meta, 'PatchOptions', refusal);
  const body = await readBody(service, context);
  const target = projectionOf(type, context.info.subresource)?.type ?? type;
  // The fields of a patch that the kind does not have are seen in what becomes of the object.
  const text = body.toString('utf8');
  const rest = restEveryTurn(service.runtime);
  const parsing = inSteps(readPatch(text), rest);
  const { value, repeated } = parsing instanceof Promise ? await parsing : parsing;
  await rest();
  context.record?.document(value);
  options.fields.noteRepeated(repeated, reader === readJsonPatch ? JSON_PATCH : '');
  const change = changeOf(() => reader(value, target, options.fields), service.runtime);
  await rest();
  options.patched = true;
  options.patchText = target.sensitive ? REDACTED : text;
  return replyWithChange(service, resource, change, options, format);
}

function* readPatch(text: string): Steps<SentDocument> {
  try {
    return yield* readJson(text, 'last');
  } catch (error) {
    throw error instanceof MalformedBody ? badRequest(`error decoding patch: ${error.problem}`) : error;
  }
}

/** A patch needs something to patch: without it the registry answers 404. */
function changeOf(read: () => Patching, runtime: Runtime): Modification {
  const patching = answering(read);
  return (current) => {
    const changed = current && answering(() => patching(current, restEveryTurn(runtime)));
    return changed instanceof Promise ? changed.catch(answer) : changed;
  };
}

function answering<T>(attempt: () => T): T {
  try {
    return attempt();
  } catch (error) {
    answer(error);
  }
}

/** Problems of patches as clients know them. */
function answer(error: unknown): never {
  if (error instanceof MalformedPatch) throw badRequest(`error decoding patch: ${error.message}`);
  if (error instanceof StrategicPatchError) throw badRequest(error.message);
  if (error instanceof PatchTooLong) throw new ApiError('RequestEntityTooLarge', error.message);
  if (!(error instanceof PatchFailed)) throw error;
  throw new ApiError('Invalid', `the server rejected our request due to an error in our request: ${error.message}`);
}
