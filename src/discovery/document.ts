import { createHash } from 'node:crypto';
import { type Format, JSON_FORMAT } from '../codec/negotiation.ts';
import { encodeProtobuf } from '../codec/protobuf.ts';
import { asWanted } from '../handlers/format.ts';
import { replyWithBody, replyWithJson, type Typed } from '../handlers/respond.ts';
import { headerList } from '../http/headers.ts';
import type { HttpRequest, Reply } from '../http/message.ts';
import type { RequestContext } from '../request/context.ts';
import type { Node } from '../schema/node.ts';

/** A document that many clients ask for again and again: encoded once, and told apart by a digest of its bytes, or of what it is made of. */
export interface Document {
  readonly bytes: Buffer;
  readonly digest: string;
  /** The same in binary, if it has such a form. */
  binary?(): Buffer;
}

/** A document in JSON and, if its schema is given, in binary. */
export function documentOf(value: object, schema?: Node): Document {
  const document = documentOfBytes(Buffer.from(JSON.stringify(value)));
  if (!schema) return document;
  const { apiVersion = '', kind = '' }: Typed = value;
  let made: Buffer | undefined;
  const binary = (): Buffer => {
    made ??= encodeProtobuf(schema, apiVersion, kind, value);
    return made;
  };
  return { ...document, binary };
}

export const documentOfBytes = (bytes: Buffer): Document => ({ bytes, digest: digestOf(bytes) });

export const digestOf = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');

/** Answers the document in a form the client takes, or 304 to a client that has it already. */
export function replyWithDocument(
  context: RequestContext,
  { bytes, digest, binary }: Document,
  negotiated: Format = JSON_FORMAT,
): Promise<Reply> {
  const format = asWanted(negotiated, context);
  return unlessKnown(context.request, tagOf(digest, format), () =>
    format.media === 'protobuf' && binary ? replyWithBody(200, binary(), format) : replyWithJson(200, bytes, format),
  );
}

/** Another form of the document is another body, and a tag stands for one body. */
function tagOf(digest: string, { media, indented }: Format): string {
  if (media !== 'json') return `${digest}-${media}`;
  return indented ? `${digest}-indented` : digest;
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
