import { jsonInSteps } from '../codec/json-writing.ts';
import { type Format, JSON_FORMAT } from '../codec/negotiation.ts';
import { encodeProtobuf } from '../codec/protobuf.ts';
import { yamlOfJson } from '../codec/yaml-thread.ts';
import type { Body, HeaderList, Reply } from '../http/message.ts';
import { readWhole } from '../http/whole-body.ts';
import { Status } from '../meta/status.ts';
import { inSteps, type Rest } from '../runtime/pacing.ts';
import type { Node } from '../schema/node.ts';
import { IndentedBody, MOST_INDENTED_BYTES } from './read/indented-body.ts';

const JSON_HEADERS: HeaderList = ['Content-Type', 'application/json', 'Cache-Control', 'no-cache, private'];

const headersOf = (format: Format): HeaderList =>
  format === JSON_FORMAT ? JSON_HEADERS : ['Content-Type', format.contentType, 'Cache-Control', 'no-cache, private'];

/** A body that is in the format already. */
export const replyWithBody = (status: number, body: Body, format: Format): Reply => ({
  status,
  headers: headersOf(format),
  body,
});

const NEWLINE = Buffer.from('\n');

/**
 * JSON that is already bytes, in the form of text the client asked for. The common case sends the bytes as they are, and
 * a newline after them.
 */
export async function replyWithJson(status: number, bytes: Buffer, format: Format): Promise<Reply> {
  if (format.media === 'yaml') return replyWithBody(status, await yamlOf(bytes, format), format);
  return replyWithBody(status, isIndented(bytes.length, format) ? indentedBody(bytes) : [bytes, NEWLINE], format);
}

/** Bodies up to this size are put together at once. */
const WHOLE_BYTES = 64 << 10;

function indentedBody(json: Buffer): Body {
  const body = new IndentedBody(json);
  return body.length <= WHOLE_BYTES ? readWhole(body) : body;
}

/** Whether JSON of this length is laid out for people. */
export const isIndented = (length: number, { indented }: Format): boolean => indented && length <= MOST_INDENTED_BYTES;

/** A value that is only sent as text. `rest`: it is large. */
export async function replyWithValue(status: number, value: object, format: Format, rest?: Rest): Promise<Reply> {
  const text = rest ? await inSteps(jsonInSteps(value), rest) : JSON.stringify(value);
  return format === JSON_FORMAT
    ? replyWithBody(status, Buffer.from(`${text}\n`), format)
    : replyWithJson(status, Buffer.from(text), format);
}

/** What says of itself what it is. */
export interface Typed {
  readonly kind?: string;
  readonly apiVersion?: string;
}

/** A value in canonical form, as text or in binary. The schema must have a binary form if the format is one. */
export async function replyWithTyped(
  status: number,
  schema: Node,
  value: Typed,
  format: Format,
  rest?: Rest,
): Promise<Reply> {
  const reply = await encodeTyped(status, schema, value, format, rest);
  return schema === Status ? { ...reply, outcome: value } : reply;
}

async function encodeTyped(status: number, schema: Node, value: Typed, format: Format, rest?: Rest): Promise<Reply> {
  if (format.media !== 'protobuf') return replyWithValue(status, value, format, rest);
  const { apiVersion = '', kind = '' } = value;
  return replyWithBody(status, encodeProtobuf(schema, apiVersion, kind, value), format);
}

/** A Status is never rendered as anything else. */
export const replyWithStatus = (code: number, status: object, format: Format): Promise<Reply> =>
  replyWithTyped(code, Status, status, format);

const yamlOf = async (json: Buffer, { reader = '' }: Format): Promise<Buffer> =>
  Buffer.from(await yamlOfJson(json.toString('utf8'), reader));

export const replyWithText = (
  status: number,
  text: string | readonly Buffer[],
  type = 'text/plain; charset=utf-8',
): Reply => ({
  status,
  headers: ['Content-Type', type, 'Cache-Control', 'no-cache, private', 'X-Content-Type-Options', 'nosniff'],
  body: typeof text === 'string' ? Buffer.from(text) : text,
});
