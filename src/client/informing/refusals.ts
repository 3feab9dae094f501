import { ApiError } from '../../api/errors.ts';
import { refusalIn } from '../plane-client.ts';
import type { ByteStream } from './informed-plane.ts';

/** Of a refusal whose text is no Status, so much is told. */
const MOST_TEXT = 200;
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
  const text = Buffer.concat(parts).toString();
  const status = stream.statusCode ?? 0;
  const refusal = refusalIn(status, statusIn(text));
  const seconds = Number(stream.headers?.['retry-after'] ?? Number.NaN);
  if (refusal.details.retryAfterSeconds !== undefined || !(seconds > 0)) return refusal;
  const { reason, message, details } = refusal;
  return new ApiError(reason, message, { ...details, retryAfterSeconds: seconds }, status);
}

function statusIn(text: string): object {
  try {
    const status: unknown = JSON.parse(text);
    if (typeof status === 'object' && status !== null) return status;
  } catch {
    // Somebody between here and the plane answered.
  }
  return { message: text.slice(0, MOST_TEXT) };
}
