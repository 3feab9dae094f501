import type { Release } from '../../api/release.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';

/**
 * STABLE names and labels are kept for as long as the deprecation rules say; ALPHA ones may change at any time. Of a few
 * the original does not say: neither do we.
 */
export type Stability = 'STABLE' | 'ALPHA' | 'UNSTATED';

/** What the server counts, and how that is described to those who read it. */
export interface MetricSpec {
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly stability: Stability;
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds, ascending; the last bucket is open. Histograms only. */
  readonly buckets?: readonly number[];
  /** Carries the maker's name: the row of the vocabulary that says what it is called. */
  readonly named?: keyof Vocabulary['metrics'];
  /** Where it is served instead of with the others: `/metrics/slis`. */
  readonly page?: 'slis';
  /** The metric that has the same readings, which are taken once. */
  readonly sameAs?: string;
  /** The first release that has the metric, where that is later than the first one that is known here. */
  readonly addedIn?: Release;
  /** The release from which on the metric should not be used any more, such as `1.24`. */
  readonly deprecatedIn?: Release;
}
