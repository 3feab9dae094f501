import { notAcceptable } from '../../api/errors.ts';
import { clausesOf } from '../../codec/negotiation.ts';
import { demandRead, type PathHandler } from '../../handlers/path-handler.ts';
import { headerValue } from '../../http/headers.ts';
import type { HttpRequest, Reply } from '../../http/message.ts';
import type { RequestContext } from '../../request/context.ts';
import { type Document, unlessKnown } from '../document.ts';
import { addressOf, V2_PATH, V3_PATH } from './addresses.ts';
import type { OpenapiDocuments, OpenapiOptions } from './openapi-documents.ts';

const JSON_TYPE = 'application/json';
/** Older clients ask by a name that is not a proper media type, so no answer carries it. */
const BINARY_TYPE = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const BINARY_TYPES: readonly string[] = [BINARY_TYPE, BINARY_TYPE.replace('.v1.0+', '@v1.0+')];
const ANY_TYPES: readonly string[] = [JSON_TYPE, 'application/*', '*/*'];

/**
 * Answers `/openapi/v2`, the schemas of everything in one document, and `/openapi/v3`, which leads to a document for
 * each version of each group. What builds them is loaded with the first request.
 */
export function openapiHandler(options: OpenapiOptions, hasV3 = true): PathHandler {
  let loading: Promise<OpenapiDocuments> | undefined;
  const load = async (): Promise<OpenapiDocuments> => {
    const { OpenapiDocuments } = await import('./openapi-documents.ts');
    return new OpenapiDocuments(options);
  };
  return (context) => {
    const { path } = context.info;
    const isV3 = hasV3 && (path === V3_PATH || path.startsWith(`${V3_PATH}/`));
    if (path !== V2_PATH && !isV3) return undefined;
    loading ??= load();
    return loading.then((documents) => answer(context, documents, options));
  };
}

async function answer(
  context: RequestContext,
  documents: OpenapiDocuments,
  { runtime }: OpenapiOptions,
): Promise<Reply | undefined> {
  const { request, info } = context;
  if (info.path === V2_PATH) {
    demandRead(context);
    return replyWithV2(request, documents);
  }
  if (info.path === V3_PATH) {
    demandRead(context);
    demandJson(request);
    return replyWith(request, await documents.index());
  }
  const name = info.path.slice(V3_PATH.length + 1);
  const document = await documents.part(name);
  if (!document) return undefined;
  demandRead(context);
  demandJson(request);
  return replyWithPart(context, name, document, runtime.now());
}

async function replyWithV2(request: HttpRequest, documents: OpenapiDocuments): Promise<Reply> {
  const wanted = acceptedType(request, [...ANY_TYPES, ...BINARY_TYPES]);
  if (wanted === undefined) throw notAcceptable([JSON_TYPE, BINARY_TYPE]);
  return BINARY_TYPES.includes(wanted)
    ? replyWith(request, await documents.v2Binary(), BINARY_TYPE)
    : replyWith(request, await documents.v2());
}

/** A year, which is as long as anything may be cached. */
const LONG_MS = 365 * 24 * 3600 * 1000;

/** A client that names the document by its digest may keep it; one that names an older one is sent to the newer. */
function replyWithPart(
  { request, info }: RequestContext,
  name: string,
  document: Document,
  now: number,
): Promise<Reply> | Reply {
  const hash = info.query.get('hash');
  if (!hash) return replyWith(request, document, PART_TYPE);
  if (hash !== document.digest) {
    return { status: 301, headers: ['Location', addressOf(name, document)], body: Buffer.alloc(0) };
  }
  const expires = new Date(now + LONG_MS).toUTCString();
  return replyWith(request, document, PART_TYPE, ['Cache-Control', 'public, immutable', 'Expires', expires]);
}

/** Documents of parts have been sent as this ever since there are any, and clients take them as what they are. */
const PART_TYPE = 'text/plain; charset=utf-8';

const replyWith = (
  request: HttpRequest,
  { bytes, digest }: Document,
  type = JSON_TYPE,
  caching: readonly string[] = ['Cache-Control', 'no-cache, private'],
): Promise<Reply> =>
  unlessKnown(request, digest, () => ({ status: 200, headers: ['Content-Type', type, ...caching], body: bytes }));

function demandJson(request: HttpRequest): void {
  if (acceptedType(request, ANY_TYPES) === undefined) throw notAcceptable([JSON_TYPE]);
}

/** The first type that a client accepts among those offered. */
function acceptedType(request: HttpRequest, offered: readonly string[]): string | undefined {
  const accept = headerValue(request, 'accept');
  if (!accept) return JSON_TYPE;
  return clausesOf(accept)
    .map(({ type }) => type)
    .find((type) => offered.includes(type));
}
