import { type ApiError, badRequest, unsupportedMediaType } from '../api/errors.ts';
import { decodeMessage, hasBinaryForm } from '../schema/derive/protobuf.ts';
import { MOST_VALUES } from '../schema/document-limits.ts';
import type { Node } from '../schema/node.ts';
import { WireError } from '../schema/wire.ts';
import { decodeProtobuf, type Envelope } from './protobuf.ts';

/** What a body should hold: bytes in binary mean nothing to whoever does not know that. */
export interface Expected {
  readonly kind: string;
  readonly schema: Node;
}

/** What the body of a request should hold, by what its envelope says. */
export type Expectation = (typeMeta: Pick<Envelope, 'apiVersion' | 'kind'>) => Expected;

/** A body in binary as the JSON value it stands for. One of another kind is not looked into: it will be refused by it. */
export function parseProtobuf(
  body: Buffer,
  mediaType: string,
  expectation: Expectation,
  mostValues = MOST_VALUES,
): unknown {
  const envelope = answering('object', () => decodeProtobuf(body));
  const { apiVersion, kind, contentEncoding, contentType, raw } = envelope;
  if (contentEncoding !== '' || (contentType !== '' && contentType !== mediaType)) {
    throw malformed('object', `its content is in another encoding (${contentEncoding || contentType})`);
  }
  const expected = expectation(envelope);
  if (!hasBinaryForm(expected.schema)) throw unsupportedMediaType(['application/json', 'application/yaml']);
  if (kind !== '' && kind !== expected.kind) return { kind, apiVersion };
  return { kind, apiVersion, ...answering(expected.kind, () => decodeMessage(expected.schema, raw, mostValues)) };
}

function answering<T>(kind: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof WireError) throw malformed(kind, error.message);
    throw error;
  }
}

const malformed = (kind: string, why: string): ApiError =>
  badRequest(`the body is not a valid ${kind} in protobuf: ${why}`);
