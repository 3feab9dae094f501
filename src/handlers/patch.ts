import { mediaTypeOf, parseJson } from '../codec/parse-body.ts';
import { ApiError, badRequest, unsupportedMediaType } from '../errors.ts';
import { headerValue } from '../http/headers.ts';
import type { Reply } from '../http/message.ts';
import { applyJsonPatch, MalformedPatch, PatchFailed, PatchTooLong, parseJsonPatch } from '../patch/json-patch.ts';
import { mergePatch } from '../patch/merge-patch.ts';
import type { Change } from '../registry/update.ts';
import type { ResourceContext, Service } from './service.ts';
import { contentTypeOf, readWriteOptions } from './write-options.ts';
import { replyWithChange } from './written.ts';

/** Reads a patch document once; the change it gives may be applied several times. */
type PatchReader = (document: unknown) => (current: object) => unknown;

const readJsonPatch: PatchReader = (document) => {
  const operations = parseJsonPatch(document);
  return (current) => applyJsonPatch(current, operations);
};

const readMergePatch: PatchReader = (document) => {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new MalformedPatch('a merge patch is an object');
  }
  return (current) => mergePatch(current, document);
};

const PATCHES: ReadonlyMap<string, PatchReader> = new Map([
  ['application/json-patch+json', readJsonPatch],
  ['application/merge-patch+json', readMergePatch],
]);

export async function handlePatch(service: Service, resource: ResourceContext): Promise<Reply> {
  const { context, user } = resource;
  const format = service.negotiator.choose(headerValue(context.request, 'accept'));
  const reader = PATCHES.get(mediaTypeOf(contentTypeOf(context)));
  if (!reader) throw unsupportedMediaType([...PATCHES.keys()]);
  const options = readWriteOptions(context, user, service.vocabulary.groups.meta, 'PatchOptions');
  const body = await context.request.readBody(service.limits.bodyBytes);
  const change = changeOf(reader, parseJson(body.toString('utf8')));
  return replyWithChange(service, resource, change, { ...options, patched: true }, format);
}

/** A patch needs something to patch: without it the registry answers 404. */
function changeOf(reader: PatchReader, document: unknown): Change {
  try {
    const apply = reader(document);
    return (current) => current && applied(apply, current);
  } catch (error) {
    if (error instanceof MalformedPatch) throw badRequest(error.message);
    if (error instanceof PatchTooLong) throw new ApiError('RequestEntityTooLarge', error.message);
    if (error instanceof PatchFailed) throw unfit(error);
    throw error;
  }
}

function applied(apply: (current: object) => unknown, current: object): unknown {
  try {
    return apply(current);
  } catch (error) {
    if (error instanceof PatchFailed) throw unfit(error);
    throw error;
  }
}

const unfit = ({ message }: PatchFailed): ApiError =>
  new ApiError('Invalid', `the server rejected our request due to an error in our request: ${message}`);
