import type { VocabularyName } from '../../vocabulary/vocabulary.ts';

/** The first line of a file. */
export interface RecordingHeader {
  readonly format: 'platform-recording/1';
  readonly vocabulary: VocabularyName;
  /** When the recording began, on the clock of the plane. */
  readonly began: string;
}

/** A request with its answer. */
export interface RecordedExchange {
  readonly at: number;
  readonly type: 'exchange';
  readonly client: string;
  readonly groups: readonly string[];
  readonly agent: string;
  readonly background: boolean;
  readonly verb: string;
  readonly kind: string;
  /** `default/a`, `a`, or '' for a collection. */
  readonly object: string;
  readonly method: string;
  readonly target: string;
  readonly contentType: string;
  readonly accept: string;
  /** JSON where it is that, else text in base64; absent where there is none or it is not kept. */
  readonly body?: RecordedBody;
  readonly status: number;
  readonly answer?: RecordedBody;
  /** Why the request was refused, in words. */
  readonly reason?: string;
  /** What changed, in a line. */
  readonly change?: string;
  /** What chaos did to it, and whether the plane carried it out all the same. */
  readonly disturbed?: { readonly fault: string; readonly isDone: boolean };
}

export type RecordedBody = { readonly json: unknown } | { readonly base64: string } | { readonly leftOut: string };

/** An event that a watch was sent. */
export interface RecordedEvent {
  readonly at: number;
  readonly type: 'event';
  readonly client: string;
  readonly event: string;
  readonly kind: string;
  readonly object: string;
  readonly resourceVersion: string;
  readonly change?: string;
}

/** The last line of a file that is not complete. */
export interface RecordingEnd {
  readonly type: 'dropped';
  readonly entries: number;
  readonly limitBytes: number;
}

/** One line of a recording. */
export type Recorded = RecordedExchange | RecordedEvent;
