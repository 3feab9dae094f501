import { type Format, JSON_FORMAT } from '../codec/negotiation.ts';
import { encodeProtobuf } from '../codec/protobuf.ts';
import { writeYaml } from '../codec/yaml-writing.ts';
import type { Body, HeaderList, Reply } from '../http/message.ts';
import { Status } from '../kinds/meta/status.ts';
import type { Query } from '../request/request-info.ts';
import { isTrue } from '../request/request-info.ts';
import type { Node } from '../schema/schema.ts';

const JSON_HEADERS: HeaderList = ['Content-Type', 'application/json', 'Cache-Control', 'no-cache, private'];

const headersOf = (format: Format): HeaderList =>
  format === JSON_FORMAT ? JSON_HEADERS : ['Content-Type', format.contentType, 'Cache-Control', 'no-cache, private'];

/** A body that is in the format already. */
export const replyWithBody = (status: number, body: Body, format: Format): Reply => ({
  status,
  headers: headersOf(format),
  body,
});

/** JSON that is already bytes, as text of the form the client asked for. The common case sends the bytes as they are. */
export async function replyWithJson(status: number, bytes: Buffer, format: Format, query: Query): Promise<Reply> {
  return replyWithBody(status, await encodeAs(bytes, format, query), format);
}

/** A value that is only sent as text. */
export const replyWithValue = (status: number, value: object, format: Format, query: Query): Promise<Reply> =>
  replyWithJson(status, Buffer.from(JSON.stringify(value)), format, query);

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
  query: Query,
): Promise<Reply> {
  const reply = await encodeTyped(status, schema, value, format, query);
  return schema === Status ? { ...reply, outcome: value } : reply;
}

async function encodeTyped(status: number, schema: Node, value: Typed, format: Format, query: Query): Promise<Reply> {
  if (format.media !== 'protobuf') return replyWithValue(status, value, format, query);
  const { apiVersion = '', kind = '' } = value;
  return replyWithBody(status, encodeProtobuf(schema, apiVersion, kind, value), format);
}

/** A Status is never rendered as anything else. */
export const replyWithStatus = (code: number, status: object, format: Format, query: Query): Promise<Reply> =>
  replyWithTyped(code, Status, status, format, query);

async function encodeAs(bytes: Buffer, format: Format, query: Query): Promise<Buffer> {
  if (format.media === 'yaml') {
    return Buffer.from(await writeYaml(JSON.parse(bytes.toString('utf8'))));
  }
  if (isTrue(query.get('pretty'))) {
    return Buffer.from(`${JSON.stringify(JSON.parse(bytes.toString('utf8')), null, 2)}\n`);
  }
  return bytes;
}

export const replyWithText = (status: number, text: string, type = 'text/plain; charset=utf-8'): Reply => ({
  status,
  headers: ['Content-Type', type, 'Cache-Control', 'no-cache, private', 'X-Content-Type-Options', 'nosniff'],
  body: Buffer.from(text),
});
