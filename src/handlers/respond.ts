import { type Format, JSON_FORMAT } from '../codec/negotiation.ts';
import type { HeaderList, Reply } from '../http/message.ts';
import type { Query } from '../request/request-info.ts';
import { isTrue } from '../request/request-info.ts';

const JSON_HEADERS: HeaderList = ['Content-Type', 'application/json', 'Cache-Control', 'no-cache, private'];

const headersOf = (format: Format): HeaderList =>
  format === JSON_FORMAT ? JSON_HEADERS : ['Content-Type', format.contentType, 'Cache-Control', 'no-cache, private'];

/** JSON that is already bytes, in whatever form the client asked for. The common case sends the bytes as they are. */
export async function replyWithJson(status: number, bytes: Buffer, format: Format, query: Query): Promise<Reply> {
  return { status, headers: headersOf(format), body: await encodeAs(bytes, format, query) };
}

export const replyWithValue = (status: number, value: object, format: Format, query: Query): Promise<Reply> =>
  replyWithJson(status, Buffer.from(JSON.stringify(value)), format, query);

async function encodeAs(bytes: Buffer, format: Format, query: Query): Promise<Buffer> {
  if (format.media === 'yaml') {
    const { stringify } = await import('yaml');
    return Buffer.from(stringify(JSON.parse(bytes.toString('utf8')), { aliasDuplicateObjects: false }));
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
