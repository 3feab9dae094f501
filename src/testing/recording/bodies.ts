import { gunzipSync } from 'node:zlib';
import { isStream, type Reply } from '../../http/message.ts';
import { readWhole, sourceOf } from '../../http/whole-body.ts';

/** The content type of an answer; '' where it has none. */
export const mediaTypeOf = (reply: Reply): string => headerOf(reply, 'content-type');

function headerOf({ headers }: Reply, wanted: string): string {
  for (let at = 0; at < headers.length; at += 2)
    if (headers[at]?.toLowerCase() === wanted) return headers[at + 1] ?? '';
  return '';
}

/** An answer whose body can be read without taking it from the client, with that body. Streams have none. */
export function withBody(reply: Reply, limit: number): { reply: Reply; body: Buffer | undefined } {
  if (isStream(reply.body)) return { reply, body: undefined };
  const body = Buffer.isBuffer(reply.body) ? reply.body : readWhole(sourceOf(reply.body));
  return { reply: { ...reply, body }, body: unpacked(reply, body, limit) };
}

/** Undefined when it is longer than the limit. */
function unpacked(reply: Reply, body: Buffer, limit: number): Buffer | undefined {
  if (headerOf(reply, 'content-encoding') !== 'gzip') return body.length > limit ? undefined : body;
  try {
    return gunzipSync(body, { maxOutputLength: limit });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw error;
  }
}
