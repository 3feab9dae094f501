import type { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { UserInfo } from '../api/user.ts';

/** Where the bytes of a body are counted while it is read. */
export interface BodyAccount {
  /** At least so many bytes from now on. A promise: there is no room yet. Throws or rejects when none comes. */
  reserve(total: number): Promise<void> | undefined;
}

/** A request as the pipeline sees it, whether it came over HTTP/1.1, HTTP/2 or `server.inject()`. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query as sent, undecoded. */
  readonly target: string;
  /** Lower-case names; repeated headers are joined as Node does. Use `headerList` for those that may repeat. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Names and values in turn, as sent: repeated headers apart, HTTP/2 pseudo-headers included. */
  readonly rawHeaders: readonly string[];
  /** The TLS connection, for client certificates; absent when injected. */
  readonly socket?: TLSSocket | undefined;
  /** Who sends the request, as the program around the server says. Only what is injected has it: no connection can. */
  readonly identity?: UserInfo | undefined;
  /** Sent by a control loop of this server: gives way to those whom someone waits for. Only what is injected can be. */
  readonly background?: boolean;
  /** IP address of the peer; '' when injected. */
  readonly remoteAddress: string;
  /** Whether a body may come; it may still be empty. */
  readonly hasBody: boolean;
  /**
   * Reads the body once. Rejects with 413 past `limit` bytes, with 400 when the client breaks off or hardly sends anything,
   * and as the account does.
   */
  readBody(limit: number, account?: BodyAccount): Promise<Buffer>;
  /** Calls back once nobody waits for an answer any more: the client has gone, or has been answered. At once if so already. */
  onceGone(callback: () => void): void;
  /**
   * The body as it comes, at the reader's pace, for whoever passes it on; undefined when there is none. Instead of
   * `readBody`, once. Whoever asked for an upgrade may send for ever, and not in HTTP.
   */
  streamBody(): Readable | undefined;
  /** The client asked for another protocol. An answer of status 101 with a streamed body gives it the connection. */
  readonly canUpgrade: boolean;
}

/** Where a streamed body writes. */
export interface ByteSink {
  /**
   * Returns false when the peer is slow: wait for `onDrain` before writing much more. The bytes must stay as they are until
   * `onSent` is called, which may be never.
   */
  write(bytes: Buffer, onSent?: () => void): boolean;
  /** Bytes accepted by `write` and not yet handed to the network. */
  readonly buffered: number;
  end(): void;
  /** Breaks the connection off, so that the client sees the body is not complete. */
  abort(): void;
}

/** A body that is produced over time, such as a watch. None of these may throw. */
export interface BodyStream {
  /** Called once, after the headers are on their way; not at all for HEAD or when the peer has gone by then. */
  start(sink: ByteSink): void;
  /** The peer caught up after a `write` that returned false. */
  onDrain(): void;
  /** Comes last, exactly once, started or not: the body was ended or aborted, or the peer has gone. */
  onClose(): void;
  /** The server is shutting down: end the body cleanly now. */
  onShutdown(): void;
}

/** A body of known length that is put together piece by piece while it is sent. For one reader, who may stop early. */
export interface BodySource {
  readonly length: number;
  readonly done: boolean;
  /** The next bytes, not called when it is done: `scratch` from its beginning, or memory that nobody will write to. */
  next(scratch: Buffer): Buffer;
}

/** A whole body, a list of parts sent back to back, something that makes its parts on the way, or a stream. */
export type Body = Buffer | readonly Buffer[] | BodySource | BodyStream;

/** Names and values in turn, as they are written. */
export type HeaderList = readonly string[];

/**
 * What the pipeline answers. The listener adds Date, the Content-Length of whole bodies and the connection's own headers
 * (Connection, Transfer-Encoding and the like), which a Reply must not carry: HTTP/2 forbids them. A stream whose length
 * is known may say it in a Content-Length header. Of a 101 the listener writes the Connection header, not the Upgrade.
 */
export interface Reply {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Body;
  /** The Status that the body is, where it is one: for those who watch, whatever it was encoded in. */
  readonly outcome?: object;
}

export const isSource = (body: Body): body is BodySource => 'next' in body;

export const isStream = (body: Body): body is BodyStream => 'start' in body;
