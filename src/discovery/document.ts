import { createHash } from 'node:crypto';
import type { Negotiator } from '../codec/negotiation.ts';
import { demandRead } from '../handlers/path-handler.ts';
import { replyWithJson } from '../handlers/respond.ts';
import { headerList, headerValue } from '../http/headers.ts';
import type { Reply } from '../http/message.ts';
import type { RequestContext } from '../request/context.ts';

/** A document that many clients ask for again and again: encoded once, and told apart by a digest of its bytes. */
export interface Document {
  readonly bytes: Buffer;
  readonly digest: string;
}

export function documentOf(value: object): Document {
  const bytes = Buffer.from(JSON.stringify(value));
  return { bytes, digest: createHash('sha256').update(bytes).digest('hex') };
}

/** Answers the document, or 304 to a client that has it already. Throws 405 and 406. */
export async function replyWithDocument(
  context: RequestContext,
  negotiator: Negotiator,
  { bytes, digest }: Document,
): Promise<Reply> {
  demandRead(context);
  const { request, info } = context;
  const format = negotiator.choose(headerValue(request, 'accept'), 'plain');
  // Another form of the document is another body, and a tag stands for one body.
  const tag = format.media === 'json' ? `"${digest}"` : `"${digest}-${format.media}"`;
  const validators = ['ETag', tag, 'Vary', 'Accept'];
  if (headerList(request, 'if-none-match').some((list) => names(list, tag))) {
    return { status: 304, headers: validators, body: Buffer.alloc(0) };
  }
  const reply = await replyWithJson(200, bytes, format, info.query);
  return { ...reply, headers: [...reply.headers, ...validators] };
}

/** Tags of ours contain no comma, so a list can be cut at commas. A weak tag (`W/`) is as good for reading. */
const names = (list: string, tag: string): boolean =>
  list.split(',').some((item) => {
    const text = item.trim();
    return text === tag || text === `W/${tag}` || text === '*';
  });
