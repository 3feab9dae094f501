import { canonicalise } from '../../../schema/derive/canonical.ts';
import { TypeMismatch } from '../../../schema/derive/reading.ts';
import { asValue } from '../../../schema/draft.ts';
import { isObject } from '../../../schema/json-object.ts';
import type { Struct } from '../../../schema/schema.ts';
import { MetricSpec } from '../v2/metric-spec.ts';
import { MetricStatus } from '../v2/metric-status.ts';

/**
 * Metrics as the annotations of v1 hold them: JSON in a form from before v2, which clients of v1 know. Where that form
 * cannot say all that a metric says, the metric is written as v2 has it.
 */

type JsonObject = { readonly [key: string]: unknown };

/** A field of the old form, and where v2 keeps it. `zero`: written also when it is unset. */
interface Row {
  readonly older: string;
  readonly newer: readonly string[];
  readonly zero?: string;
}

type Sources = ReadonlyMap<string, readonly Row[]>;

const row = (older: string, newer: string, zero?: string): Row => ({
  older,
  newer: newer.split('.'),
  ...(zero === undefined ? {} : { zero }),
});

/** The sources of a MetricSpec. A target of several values says by its type which of them counts. */
const WANTED: Sources = new Map([
  [
    'object',
    [
      row('target', 'describedObject'),
      row('metricName', 'metric.name'),
      row('targetValue', 'target.value', '0'),
      row('selector', 'metric.selector'),
      row('averageValue', 'target.averageValue'),
    ],
  ],
  [
    'pods',
    [
      row('metricName', 'metric.name'),
      row('targetAverageValue', 'target.averageValue', '0'),
      row('selector', 'metric.selector'),
    ],
  ],
  [
    'resource',
    [
      row('name', 'name'),
      row('targetAverageUtilization', 'target.averageUtilization'),
      row('targetAverageValue', 'target.averageValue'),
    ],
  ],
  [
    'containerResource',
    [
      row('name', 'name'),
      row('targetAverageUtilization', 'target.averageUtilization'),
      row('targetAverageValue', 'target.averageValue'),
      row('container', 'container'),
    ],
  ],
  [
    'external',
    [
      row('metricName', 'metric.name'),
      row('metricSelector', 'metric.selector'),
      row('targetValue', 'target.value'),
      row('targetAverageValue', 'target.averageValue'),
    ],
  ],
]);

/** The sources of a MetricStatus. */
const PRESENT: Sources = new Map([
  [
    'object',
    [
      row('target', 'describedObject'),
      row('metricName', 'metric.name'),
      row('currentValue', 'current.value', '0'),
      row('selector', 'metric.selector'),
      row('averageValue', 'current.averageValue'),
    ],
  ],
  [
    'pods',
    [
      row('metricName', 'metric.name'),
      row('currentAverageValue', 'current.averageValue', '0'),
      row('selector', 'metric.selector'),
    ],
  ],
  [
    'resource',
    [
      row('name', 'name'),
      row('currentAverageUtilization', 'current.averageUtilization'),
      row('currentAverageValue', 'current.averageValue', '0'),
    ],
  ],
  [
    'containerResource',
    [
      row('name', 'name'),
      row('currentAverageUtilization', 'current.averageUtilization'),
      row('currentAverageValue', 'current.averageValue', '0'),
      row('container', 'container'),
    ],
  ],
  [
    'external',
    [
      row('metricName', 'metric.name'),
      row('metricSelector', 'metric.selector'),
      row('currentValue', 'current.value', '0'),
      row('currentAverageValue', 'current.averageValue'),
    ],
  ],
]);

/** One kind of metrics in both forms. */
class MetricText<T> {
  readonly #schema: Struct<T>;
  readonly #sources: Sources;

  constructor(schema: Struct<T>, sources: Sources) {
    this.#schema = schema;
    this.#sources = sources;
  }

  write(metrics: readonly T[]): string {
    return JSON.stringify(metrics.map((metric) => this.#writeOne(metric)));
  }

  /** Undefined when the text holds no metrics. */
  read(text: string): T[] | undefined {
    try {
      const parsed: unknown = JSON.parse(text);
      return Array.isArray(parsed) && parsed.length > 0 ? parsed.map((metric) => this.#readOne(metric)) : undefined;
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof TypeMismatch) return undefined;
      throw error;
    }
  }

  #writeOne(metric: T): unknown {
    const older = this.#each(metric, writeSource);
    return JSON.stringify(this.#readOne(older)) === JSON.stringify(metric) ? older : metric;
  }

  #readOne(metric: unknown): T {
    return asValue(canonicalise(this.#schema, this.#each(metric, readSource)).value);
  }

  /** The metric with each source in the other form. */
  #each(metric: unknown, convert: (source: JsonObject, rows: readonly Row[]) => object): unknown {
    if (!isObject(metric)) return metric;
    return Object.fromEntries(
      Object.entries(metric).map(([name, source]) => {
        const rows = this.#sources.get(name);
        return [name, rows && isObject(source) ? convert(source, rows) : source];
      }),
    );
  }
}

function writeSource(source: JsonObject, rows: readonly Row[]): object {
  const written = rows.map(({ older, newer, zero }) => [older, valueAt(source, newer) ?? zero] as const);
  return Object.fromEntries(written.filter(([, value]) => value !== undefined));
}

function valueAt(source: JsonObject, path: readonly string[]): unknown {
  let value: unknown = source;
  for (const name of path) value = isObject(value) ? value[name] : undefined;
  return value;
}

/** In v2, every source has a `metric`, a `current`, or a name and a target. */
const isNewer = (source: JsonObject): boolean =>
  'metric' in source || 'current' in source || ('name' in source && 'target' in source);

function readSource(source: JsonObject, rows: readonly Row[]): object {
  if (isNewer(source)) return source;
  const result: { [name: string]: unknown } = {};
  for (const { older, newer, zero } of rows) {
    const value = source[older];
    if (value === undefined || value === zero) continue;
    const [first = '', second] = newer;
    result[first] = second === undefined ? value : { ...objectIn(result, first), [second]: value };
  }
  return isObject(result.target)
    ? { ...result, target: { ...result.target, type: targetType(result.target) } }
    : result;
}

const objectIn = (holder: JsonObject, name: string): JsonObject => (isObject(holder[name]) ? holder[name] : {});

function targetType(target: JsonObject): string {
  if (target.averageUtilization !== undefined) return 'Utilization';
  return target.averageValue === undefined ? 'Value' : 'AverageValue';
}

export const metricSpecs = new MetricText(MetricSpec, WANTED);
export const metricStatuses = new MetricText(MetricStatus, PRESENT);
