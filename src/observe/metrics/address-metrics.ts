import type { Recorder } from './recorder.ts';

/** What is known of one range of addresses for services. */
interface AddressUse {
  readonly range: string;
  readonly held: number;
  readonly free: number;
  readonly given: { readonly static: number; readonly dynamic: number };
  readonly refused: { readonly static: number; readonly dynamic: number };
}

/** Lets the recorder read how much of each range is in use, whenever somebody asks. */
export function collectAddresses(recorder: Recorder, ranges: () => readonly AddressUse[]): void {
  const byScope = (tallyOf: (use: AddressUse) => AddressUse['given']) => () =>
    ranges().flatMap((use) => [
      { labels: [use.range, 'static'], value: tallyOf(use).static },
      { labels: [use.range, 'dynamic'], value: tallyOf(use).dynamic },
    ]);
  recorder.collect('clusterip_allocator_allocated_ips', () =>
    ranges().map(({ range, held }) => ({ labels: [range], value: held })),
  );
  recorder.collect('clusterip_allocator_available_ips', () =>
    ranges().map(({ range, free }) => ({ labels: [range], value: free })),
  );
  recorder.collect(
    'clusterip_allocator_allocation_total',
    byScope(({ given }) => given),
  );
  recorder.collect(
    'clusterip_allocator_allocation_errors_total',
    byScope(({ refused }) => refused),
  );
}
