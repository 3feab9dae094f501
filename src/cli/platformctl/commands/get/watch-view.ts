import type { SentEvent } from '../../../../client/informing/event-stream.ts';
import type { FetchedDocument } from './fetch.ts';

/** Shows what is there, and then what becomes of it, until somebody ends it. */
export interface WatchView {
  /** What there is at first. */
  begin(documents: readonly FetchedDocument[]): Promise<void>;
  change(event: SentEvent): Promise<void>;
  end(): Promise<void>;
}
