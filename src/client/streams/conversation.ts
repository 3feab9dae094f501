import type { Duplex } from 'node:stream';

/** What a stream of a conversation with a container carries. */
export type StreamName = 'stdin' | 'stdout' | 'stderr' | 'error' | 'resize' | 'data';

/** Several streams over one connection that has left HTTP. */
export interface Conversation {
  /** The subprotocol that the server chose. */
  readonly protocol: string;
  stream(name: StreamName): Duplex;
  /** Breaks the connection off; streams that are open end with the error. */
  close(error?: Error): void;
}

/** The server does not change the protocol. */
export class UpgradeRefused extends Error {
  override readonly name = 'UpgradeRefused';
  readonly status: number;
  /** What it answered instead. */
  readonly body: string;

  constructor(status: number, body: string) {
    super(body.trim() === '' ? `the answer was ${status}` : body.trim());
    this.status = status;
    this.body = body;
  }
}
