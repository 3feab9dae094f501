import { parseBody } from '../codec/parse-body.ts';
import type { Expectation } from '../codec/protobuf-body.ts';
import { badRequest } from '../errors.ts';
import type { ObjectType } from '../registry/resource-type.ts';
import type { RequestContext } from '../request/context.ts';
import type { Service } from './service.ts';
import { contentTypeOf } from './write-options.ts';

/** The document in the body of a request as a JSON value, whatever it is encoded in; undefined when there is none. */
export async function readDocument(
  { limits, vocabulary }: Service,
  context: RequestContext,
  expectation: Expectation,
): Promise<unknown> {
  const body = await context.request.readBody(limits.bodyBytes);
  if (body.length === 0) return undefined;
  return parseBody(body, contentTypeOf(context), { mediaType: vocabulary.mediaTypes.protobuf, expectation });
}

/** As `readDocument`, where there must be one. */
export async function demandDocument(service: Service, context: RequestContext, type: ObjectType): Promise<unknown> {
  const document = await readDocument(service, context, () => type);
  if (document === undefined) throw badRequest(`a ${type.kind} is expected in the body`);
  return document;
}
