import type { Duplex, Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { refusalIn } from '../plane-client.ts';
import type { Conversation } from './conversation.ts';

/** What a status says at most. */
const MOST_STATUS_BYTES = 64 * 1024;

/** Columns and rows of a terminal. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** What is joined to a process elsewhere. */
export interface LocalStreams {
  readonly stdin?: Readable | undefined;
  readonly stdout?: Writable | undefined;
  readonly stderr?: Writable | undefined;
  /** The process has a terminal; what it writes comes all on standard output. */
  readonly tty?: boolean | undefined;
  /** The size of the terminal, now and whenever it changes. */
  readonly sizes?: AsyncIterable<TerminalSize> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How a process ended. */
export interface ProcessExit {
  readonly code: number;
}

interface ExitDocument {
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly code?: number;
  readonly details?: { readonly causes?: readonly { readonly reason?: string; readonly message?: string }[] };
}

/** Joins streams until the process has ended and everything that it wrote is written. */
export async function joinStreams(conversation: Conversation, local: LocalStreams): Promise<ProcessExit> {
  const { stdin, stdout, stderr, sizes, signal } = local;
  const cancel = (): void => conversation.close(new Error('cancelled'));
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    const status = readStatus(conversation.stream('error'));
    const written = [
      ...(stdout ? [copy(conversation.stream('stdout'), stdout)] : []),
      ...(stderr ? [copy(conversation.stream('stderr'), stderr)] : []),
    ];
    // Whether the process wants its input to the end is its own business.
    if (stdin) stdin.pipe(conversation.stream('stdin'));
    if (sizes) void sendSizes(sizes, conversation.stream('resize'));
    const [text] = await Promise.all([status, ...written]);
    return exitOf(text);
  } finally {
    signal?.removeEventListener('abort', cancel);
    if (stdin) stdin.unpipe(conversation.stream('stdin')).pause();
    conversation.close();
  }
}

/** A reader that has gone, as `head` does, takes no more; the process is left to itself. */
async function copy(from: Duplex, to: Writable): Promise<void> {
  from.pipe(to, { end: false });
  const onGone = (): void => void from.unpipe(to).resume();
  to.once('error', onGone).once('close', onGone);
  try {
    await finished(from, { writable: false });
  } finally {
    to.off('error', onGone).off('close', onGone);
  }
}

async function readStatus(stream: Duplex): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of stream) {
    length += part.length;
    if (length > MOST_STATUS_BYTES) throw new Error('the status is too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

async function sendSizes(sizes: AsyncIterable<TerminalSize>, stream: Duplex): Promise<void> {
  for await (const { columns, rows } of sizes) {
    if (stream.destroyed || !stream.writable) return;
    stream.write(JSON.stringify({ Width: columns, Height: rows }));
  }
}

/** What the stream for errors says at the end. Throws when the process could not be run at all. */
function exitOf(text: string): ProcessExit {
  if (text === '') return { code: 0 };
  const document = documentIn(text);
  if (!document) throw new Error(text);
  if (document.status === 'Success') return { code: 0 };
  const code = document.details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message ?? '';
  if (document.reason === 'NonZeroExitCode' && /^\d{1,3}$/.test(code)) return { code: Number(code) };
  throw refusalIn(document.code ?? 500, document);
}

/** Undefined where it is plain text, as early versions of the protocol have it. */
function documentIn(text: string): ExitDocument | undefined {
  try {
    const document: unknown = JSON.parse(text);
    return typeof document === 'object' && document !== null ? (document as ExitDocument) : undefined;
  } catch {
    return undefined;
  }
}
