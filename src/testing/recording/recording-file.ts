import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import type { Recorded, RecordedExchange, RecordingHeader } from './recorded.ts';

/** Larger files are no recordings of ours. */
const MOST_BYTES = 256 * 2 ** 20;
const MOST_EXCHANGES = 100_000;

export interface ReadRecording {
  readonly header: RecordingHeader;
  /** Requests in the order in which they were answered; events of watches are told, not played. */
  readonly exchanges: readonly RecordedExchange[];
}

/** Reads a recording. Throws an Error of one clear line where it is none. */
export async function readRecording(file: string): Promise<ReadRecording> {
  const found = await stat(file).catch((cause: Error) => {
    throw new Error(`cannot read ${file}: ${cause.message}`, { cause });
  });
  if (found.size > MOST_BYTES) throw new Error(`${file} has ${found.size} bytes; more than ${MOST_BYTES} are not read`);
  let header: RecordingHeader | undefined;
  const exchanges: RecordedExchange[] = [];
  let at = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    at++;
    if (line === '') continue;
    const entry = parsed(line, file, at);
    if (!header) header = headerIn(entry, file);
    else if (isExchange(entry)) exchanges.push(entry);
    if (exchanges.length > MOST_EXCHANGES) throw new Error(`${file} has more than ${MOST_EXCHANGES} requests`);
  }
  if (!header) throw new Error(`${file} is empty`);
  return { header, exchanges };
}

function parsed(line: string, file: string, at: number): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new Error(`${file}: line ${at} is not JSON`, { cause });
  }
}

function headerIn(entry: unknown, file: string): RecordingHeader {
  const header = entry as Partial<RecordingHeader> | null;
  const isOurs = header?.format === 'platform-recording/1';
  if (!isOurs || !Object.hasOwn(vocabularies, header.vocabulary ?? ''))
    throw new Error(`${file} is no recording: its first line must name the format platform-recording/1`);
  return header as RecordingHeader;
}

const METHODS: ReadonlySet<unknown> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

function isExchange(entry: unknown): entry is RecordedExchange {
  const one = entry as Partial<Recorded> | null;
  return one?.type === 'exchange' && METHODS.has(one.method) && typeof one.target === 'string';
}
