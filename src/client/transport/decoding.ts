import { pipeline, type Readable } from 'node:stream';
import { AnswerTooLarge } from '../../outbound/failures.ts';
import type { ExchangeAnswer } from './exchange.ts';

/** The answer without the compression that it came with. */
export async function decoded(answer: ExchangeAnswer): Promise<ExchangeAnswer> {
  const { 'content-encoding': encoding, 'content-length': _length, ...headers } = answer.headers;
  if (encoding?.toLowerCase() !== 'gzip') return answer;
  const { createGunzip } = await import('node:zlib');
  const plain = createGunzip();
  // Whoever reads is told of errors by what they read.
  pipeline(answer.body, plain, () => {});
  return { ...answer, headers, body: plain };
}

/** Reads all of a body, up to a length. */
export async function readWhole(body: Readable, mostBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > mostBytes) throw new AnswerTooLarge('the answer is too large');
    parts.push(part);
  }
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts, length);
}
