import { jsonProblem } from '../../codec/json-problem.ts';
import { MalformedBody, unrecognized } from '../../codec/malformed-body.ts';
import { mediaTypeOf, parseBody } from '../../codec/parse-body.ts';
import type { ObjectType } from '../../registry/resource-type.ts';
import type { RequestContext } from '../../request/context.ts';
import type { DocumentType } from '../../request/record.ts';
import { pacerOf, restEveryTurn } from '../../runtime/pacing.ts';
import type { Service } from '../service.ts';
import type { FieldValidation } from './field-validation.ts';
import { contentTypeOf } from './write-options.ts';

/** Longer bodies are parsed one in a turn, however many come in together. YAML takes far longer than anything else. */
const SHORT_BODY = 64 * 1024;
const SHORT_YAML = 512;

const isLong = (body: Buffer): boolean => body.length > (mayBeYaml(body) ? SHORT_YAML : SHORT_BODY);

const [OPEN_OBJECT, OPEN_LIST] = [0x7b, 0x5b];

/** Neither begins as JSON does nor with the mark of binary messages, which ends in zero. */
const mayBeYaml = ([first, , , fourth]: Buffer): boolean =>
  first !== OPEN_OBJECT && first !== OPEN_LIST && fourth !== 0;

/** The body of a request, when it is its turn to be parsed. */
export async function readBody({ limits, runtime }: Service, context: RequestContext): Promise<Buffer> {
  const body = await context.readBody(limits.bodyBytes);
  if (isLong(body)) await pacerOf(runtime).turn();
  return body;
}

/** What a document should be, by what it says of itself. */
export type ExpectedDocument = (typeMeta: { readonly apiVersion: unknown }) => DocumentType;

/**
 * The document in the body of a request as a JSON value, whatever it is encoded in; undefined when there is none. Fields
 * that it has twice are noted, where that matters.
 */
export async function readDocument(
  service: Service,
  context: RequestContext,
  expectation: ExpectedDocument,
  fields?: FieldValidation,
): Promise<unknown> {
  const body = await readBody(service, context);
  if (body.length === 0) return undefined;
  const binary = { mediaType: service.vocabulary.mediaTypes.protobuf, expectation };
  const rest = restEveryTurn(service.runtime);
  const parsing = parseBody(body, contentTypeOf(context), binary, rest, senderOf(context)).catch((error: unknown) => {
    if (!(error instanceof MalformedBody)) throw error;
    throw unrecognized(expectation({ apiVersion: undefined }), error.problem, body);
  });
  const { value: sent, repeated } = await parsing;
  const pause = rest();
  if (pause) await pause;
  fields?.noteRepeated(repeated);
  // Nothing is said of an object that is `null`, or of an empty document in YAML: all of it is left to defaults.
  const value = sent ?? {};
  context.record?.document(value, expectation({ apiVersion: apiVersionIn(value) }));
  return value;
}

/** What a document says its version is, if it says anything. */
export const apiVersionIn = (document: unknown): unknown =>
  typeof document === 'object' && document !== null && 'apiVersion' in document ? document.apiVersion : undefined;

/** Who has sent a request, for those who let senders have turns. */
export const senderOf = ({ user }: RequestContext): string => user?.name ?? '';

const NO_BODY = Buffer.alloc(0);

/** As `readDocument`, where there must be one. In YAML, nothing at all is an empty document. */
export async function demandDocument(
  service: Service,
  context: RequestContext,
  type: ObjectType,
  fields: FieldValidation,
): Promise<unknown> {
  const document = await readDocument(service, context, () => type, fields);
  if (document !== undefined) return document;
  if (mediaTypeOf(contentTypeOf(context)) === 'application/yaml') return {};
  throw unrecognized(type, jsonProblem(''), NO_BODY);
}
