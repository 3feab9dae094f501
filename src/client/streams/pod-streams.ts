import type { Readable } from 'node:stream';
import type { ApiError } from '../../api/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { Dial, Open } from '../http-transport.ts';
import { refusalFrom } from '../plane-client.ts';
import { readWhole } from '../transport/decoding.ts';
import { type Conversation, type StreamName, UpgradeRefused } from './conversation.ts';
import { joinStreams, type LocalStreams, type ProcessExit } from './remote-process.ts';

/** A pod, and a container of it where there are several. */
export interface PodTarget {
  readonly namespace: string;
  readonly name: string;
  readonly container?: string | undefined;
}

/** Which part of a log. */
export interface LogOptions {
  readonly follow?: boolean | undefined;
  readonly previous?: boolean | undefined;
  readonly timestamps?: boolean | undefined;
  readonly sinceSeconds?: number | undefined;
  /** RFC 3339. */
  readonly sinceTime?: string | undefined;
  readonly tailLines?: number | undefined;
  readonly limitBytes?: number | undefined;
  readonly insecureSkipTLSVerifyBackend?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

const CHANNELS = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;
const MOST_REFUSAL_BYTES = 64 * 1024;
/** A node may take its time before the first line. */
const LOG_TIMEOUT_MS = 60_000;

/** Talks with the containers of pods: what they wrote, and processes in them. */
export class PodStreams {
  readonly #open: Open;
  readonly #dial: Dial;
  readonly #names: Vocabulary['websocketProtocols'];
  readonly #runtime: Runtime;

  constructor(open: Open, dial: Dial, vocabulary: Pick<Vocabulary, 'websocketProtocols'>, runtime: Runtime) {
    this.#open = open;
    this.#dial = dial;
    this.#names = vocabulary.websocketProtocols;
    this.#runtime = runtime;
  }

  /** What a container has written, and with `follow` what it goes on to write. */
  async logs(pod: PodTarget, { signal, ...wanted }: LogOptions = {}): Promise<Readable> {
    const words = Object.entries({ container: pod.container, ...wanted }).flatMap(
      ([name, value]): [string, string][] =>
        value === undefined || value === false || value === '' ? [] : [[name, String(value)]],
    );
    const { status, body } = await this.#open({
      method: 'GET',
      target: pathOf(pod, 'log', words),
      accept: 'application/json, */*',
      isLong: true,
      timeoutMs: LOG_TIMEOUT_MS,
      signal,
    });
    if (status >= 400) throw refusalOf(status, String(await readWhole(body, MOST_REFUSAL_BYTES)));
    return body;
  }

  /** Runs a command in a container. Throws when it cannot be run. */
  exec(pod: PodTarget, command: readonly string[], local: LocalStreams): Promise<ProcessExit> {
    return this.#join(
      pod,
      'exec',
      command.map((word) => ['command', word]),
      local,
    );
  }

  /** Joins the process that a container was started with. */
  attach(pod: PodTarget, local: LocalStreams): Promise<ProcessExit> {
    return this.#join(pod, 'attach', [], local);
  }

  async #join(pod: PodTarget, how: string, words: [string, string][], local: LocalStreams): Promise<ProcessExit> {
    const { stdin, stdout, tty = false, sizes } = local;
    // With a terminal there is one stream for all that is written.
    const stderr = tty ? undefined : local.stderr;
    const asked: [string, string][] = [
      ...(pod.container ? [['container', pod.container] as [string, string]] : []),
      ...Object.entries({ stdin, stdout, stderr, tty }).flatMap(([name, is]): [string, string][] =>
        is ? [[name, 'true']] : [],
      ),
      ...words,
    ];
    const names: StreamName[] = [
      'error',
      ...(stdin ? ['stdin' as const] : []),
      ...(stdout ? ['stdout' as const] : []),
      ...(stderr ? ['stderr' as const] : []),
      ...(tty && sizes ? ['resize' as const] : []),
    ];
    const conversation = await this.#converse(pathOf(pod, how, asked), names);
    return joinStreams(conversation, { ...local, stderr, sizes: tty ? sizes : undefined });
  }

  /**
   * WebSocket where the server takes it, SPDY otherwise. Only from version 5 on the end of the input can be told over a
   * WebSocket, so earlier ones are spoken to processes with input only where there is nothing else.
   */
  async #converse(path: string, names: readonly StreamName[]): Promise<Conversation> {
    const { channelV5, channelV4 } = this.#names;
    const first = names.includes('stdin') ? [channelV5] : [channelV5, channelV4];
    try {
      return await this.#overWebSocket(path, names, first);
    } catch (error) {
      if (!(error instanceof UpgradeRefused)) throw error;
    }
    try {
      const { openSpdy, SpdyConversation } = await import('./spdy-conversation.ts');
      const opened = await openSpdy(await this.#dial(), path, [channelV4], this.#runtime);
      return await SpdyConversation.begin(opened, names);
    } catch (error) {
      if (!(error instanceof UpgradeRefused)) throw error;
      if (!names.includes('stdin')) throw refusalOf(error.status, error.body);
      const last = this.#overWebSocket(path, names, [channelV4]);
      return last.catch(() => {
        throw refusalOf(error.status, error.body);
      });
    }
  }

  async #overWebSocket(
    path: string,
    names: readonly StreamName[],
    protocols: readonly string[],
  ): Promise<Conversation> {
    const { openWebSocket } = await import('./websocket-conversation.ts');
    const known: Readonly<Partial<Record<StreamName, number>>> = CHANNELS;
    const channels = Object.fromEntries(names.map((name) => [name, known[name] ?? 0]));
    const closing = [this.#names.channelV5];
    return openWebSocket(await this.#dial(), { path, protocols, channels, closing }, this.#runtime);
  }
}

export function pathOf({ namespace, name }: PodTarget, subresource: string, words: [string, string][]): string {
  const query = new URLSearchParams(words).toString();
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}/${subresource}`;
  return query === '' ? path : `${path}?${query}`;
}

/** What the server said instead, which is a Status or plain text. */
export const refusalOf = (status: number, body: string): ApiError => refusalFrom({ status, body: Buffer.from(body) });
