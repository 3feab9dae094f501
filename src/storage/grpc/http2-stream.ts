import type { Fields } from './hpack.ts';

/** How a stream ended: properly, never seen by the peer, or anything else. */
export type Ending = 'complete' | 'unseen' | 'broken';

export interface StreamListener {
  /** The first headers, or those after the data. */
  onHeaders(fields: Fields): void;
  /** A view, which is only good during the call. */
  onData(chunk: Buffer): void;
  /** Called once; nothing follows. */
  onEnd(ending: Ending): void;
}

/** One request and its answer. */
export interface Http2Stream {
  readonly path: string;
  readonly listener: StreamListener;
  /** 0 while the peer has as many as it wants. */
  id: number;
  /** How much the peer takes now. */
  window: number;
  /** What waits for the window, and whether it is the end. */
  readonly pending: Buffer[];
  last: boolean;
  /** Bytes received that the peer has not been given back as window. */
  received: number;
}

export const newStream = (path: string, listener: StreamListener): Http2Stream => ({
  path,
  listener,
  id: 0,
  window: 0,
  pending: [],
  last: false,
  received: 0,
});
