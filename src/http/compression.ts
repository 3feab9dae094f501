import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import { hasHeader, headerValue } from './headers.ts';
import { type HttpRequest, isSource, isStream, type Reply } from './message.ts';
import { CHUNK } from './parts.ts';
import { bodyLength, sourceOf, type WholeBody } from './whole-body.ts';

/** Smaller bodies are sent as they are: compressing them costs more than it saves. */
export const COMPRESS_OVER = 128 * 1024;

/** Larger ones that would be made on the way are so: compressed they would be held as a whole. */
const COMPRESS_SOURCE_UP_TO = 16 * 1024 * 1024;

/** Whether there is anything for `compress` to do; quick, for the many replies where there is not. */
export const isLarge = ({ body }: Reply, over = COMPRESS_OVER): boolean => !isStream(body) && bodyLength(body) > over;

/**
 * Gzips a large whole body, off the main thread, when the client accepts that. Streams, small bodies and bodies that
 * are already encoded are returned as they are.
 */
export async function compress(request: HttpRequest, reply: Reply, over = COMPRESS_OVER): Promise<Reply> {
  const { status, headers, body } = reply;
  if (isStream(body) || !isLarge(reply, over) || hasHeader(headers, 'content-encoding')) return reply;
  // The answer depends on the header even where it comes out uncompressed.
  const varying = [...headers, 'Vary', 'Accept-Encoding'];
  const tooLarge = isSource(body) && body.length > COMPRESS_SOURCE_UP_TO;
  if (tooLarge || !acceptsGzip(headerValue(request, 'accept-encoding'))) return { status, headers: varying, body };
  return { status, headers: [...varying, 'Content-Encoding', 'gzip'], body: await gzip(body) };
}

/** Whether an Accept-Encoding header allows gzip; `*` alone does not ask for it. */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false;
  for (const entry of header.split(',')) {
    const [coding = '', ...parameters] = entry.split(';');
    if (coding.trim().toLowerCase() !== 'gzip') continue;
    const quality = parameters.map((text) => text.trim().toLowerCase()).find((text) => text.startsWith('q='));
    return quality === undefined || Number(quality.slice(2)) > 0;
  }
  return false;
}

async function gzip(body: WholeBody): Promise<Buffer[]> {
  const encoder = createGzip({ level: 1, chunkSize: CHUNK });
  const compressed: Buffer[] = [];
  encoder.on('data', (part: Buffer) => compressed.push(part));
  const source = sourceOf(body);
  while (!source.done) {
    // Fresh memory for every piece, since zlib reads it on another thread while the next one is filled.
    if (!encoder.write(source.next(Buffer.allocUnsafeSlow(CHUNK)))) await once(encoder, 'drain');
  }
  encoder.end();
  await once(encoder, 'end');
  return compressed;
}
