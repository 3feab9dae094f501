import type { Reading } from './distributions.ts';
import type { MetricSpec } from './metric-spec.ts';

/** One metric as it is served now. */
export interface ServedMetric {
  readonly name: string;
  readonly type: MetricSpec['type'];
  readonly help: string;
  readonly readings: readonly Reading[];
}

export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

/**
 * Writes metrics in the text format that collectors read. The only place that knows prom-client, which is loaded when
 * somebody first asks: it takes longer to load than the rest of the server does to start.
 */
export async function expose(metrics: readonly ServedMetric[]): Promise<Exposition> {
  const { AggregatorRegistry } = await import('prom-client');
  // A registry can be made of readings that were taken elsewhere: this is how a cluster adds up its workers.
  const registry = AggregatorRegistry.aggregate([metrics.map(asTaken)]);
  return { contentType: registry.contentType, text: await registry.metrics() };
}

const asTaken = ({ name, type, help, readings }: ServedMetric): object => ({
  name,
  type,
  help,
  aggregator: 'first',
  values: readings.map(({ suffix, labels, value }) => ({ metricName: `${name}${suffix}`, labels, value })),
});
