import { createHash } from 'node:crypto';
import { type Format, JSON_FORMAT } from '../codec/negotiation.ts';
import { replyWithJson } from '../handlers/respond.ts';
import { headerList } from '../http/headers.ts';
import type { HttpRequest, Reply } from '../http/message.ts';
import type { RequestContext } from '../request/context.ts';

/** A document that many clients ask for again and again: encoded once, and told apart by a digest of its bytes. */
export interface Document {
  readonly bytes: Buffer;
  readonly digest: string;
}

export const documentOf = (value: object): Document => documentOfBytes(Buffer.from(JSON.stringify(value)));

export const documentOfBytes = (bytes: Buffer): Document => ({
  bytes,
  digest: createHash('sha256').update(bytes).digest('hex'),
});

/** Answers the document in a form the client takes, or 304 to a client that has it already. */
export function replyWithDocument(
  { request, info }: RequestContext,
  { bytes, digest }: Document,
  format: Format = JSON_FORMAT,
): Promise<Reply> {
  // Another form of the document is another body, and a tag stands for one body.
  const tag = format.media === 'json' ? digest : `${digest}-${format.media}`;
  return unlessKnown(request, tag, () => replyWithJson(200, bytes, format, info.query));
}

/** What `reply` gives, under the tag; 304 to a client that has the body the tag stands for. */
export async function unlessKnown(
  request: HttpRequest,
  tag: string,
  reply: () => Reply | Promise<Reply>,
): Promise<Reply> {
  const quoted = `"${tag}"`;
  const validators = ['ETag', quoted, 'Vary', 'Accept'];
  if (headerList(request, 'if-none-match').some((list) => names(list, quoted))) {
    return { status: 304, headers: validators, body: Buffer.alloc(0) };
  }
  const answer = await reply();
  return { ...answer, headers: [...answer.headers, ...validators] };
}

/** Tags of ours contain no comma, so a list can be cut at commas. A weak tag (`W/`) is as good for reading. */
const names = (list: string, tag: string): boolean =>
  list.split(',').some((item) => {
    const text = item.trim();
    return text === tag || text === `W/${tag}` || text === '*';
  });
