import type * as InformerHistory from '../informing/informer-history.ts';
import type * as LeaderHistory from '../leading/leader-history.ts';

/** A file below `src/client`, a text that is in it once, and what takes its place. */
export type Mutation = readonly [path: string, from: string, to: string];

export interface Batteries {
  readonly 'informing/informer-history.ts': typeof InformerHistory;
  readonly 'leading/leader-history.ts': typeof LeaderHistory;
}

export function loadBattery<Entry extends keyof Batteries>(
  entry: Entry,
  mutation?: Mutation,
): Promise<Batteries[Entry]>;
