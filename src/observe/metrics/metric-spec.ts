import type { Vocabulary } from '../../vocabulary/vocabulary.ts';

/** STABLE names and labels are kept for as long as the deprecation rules say; ALPHA ones may change at any time. */
export type Stability = 'STABLE' | 'ALPHA';

/** What the server counts, and how that is described to those who read it. */
export interface MetricSpec {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly stability: Stability;
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds, ascending; the last bucket is open. Histograms only. */
  readonly buckets?: readonly number[];
  /** Carries the maker's name: the row of the vocabulary that says what it is called. */
  readonly named?: keyof Vocabulary['metrics'];
  /** The release from which on the metric should not be used any more, such as `1.24`. */
  readonly deprecatedIn?: string;
}
