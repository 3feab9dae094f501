import { ApiError } from '../../api/errors.ts';
import { refusalFrom, refusalIn } from '../plane-client.ts';
import type { ByteStream } from './informed-plane.ts';

/** A Status is small: what goes on after this is none. */
const MOST_BYTES = 2 ** 20;

/** When a refusal says after which time to come again. */
export const retryAfterMs = (error: unknown): number =>
  error instanceof ApiError ? 1000 * (error.details.retryAfterSeconds ?? 0) : 0;

/** The Status in an event of type ERROR. */
export const refusalInEvent = (status: unknown): ApiError => {
  const { code } = (status ?? {}) as { readonly code?: unknown };
  return refusalIn(typeof code === 'number' ? code : 500, status ?? {});
};

/** What the answer to a refused watch says. */
export async function refusalOf(stream: ByteStream): Promise<ApiError> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of stream) {
    parts.push(part);
    length += part.length;
    if (length > MOST_BYTES) break;
  }
  return refusalFrom({ status: stream.statusCode ?? 0, headers: stream.headers ?? {}, body: Buffer.concat(parts) });
}
