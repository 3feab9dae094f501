import type { MetricSpec } from './metric-spec.ts';
import { type HistogramMetric, METRICS, type NumberMetric } from './metrics.ts';

/** One number of a counter or gauge, changed in place by whoever asked for it. */
export interface Cell {
  value: number;
}

/** How many observations fell into each bucket, and their sum. */
export class Histogram {
  readonly #bounds: readonly number[];
  /** One more than there are bounds: the last is for what exceeds them all. */
  readonly #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Array<number>(bounds.length + 1).fill(0);
  }

  /** `times`: how often the value was met. */
  observe(value: number, times = 1): void {
    let bucket = 0;
    while (value > (this.#bounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket++;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + times;
    this.#sum += value * times;
  }

  /** Buckets are served cumulative: each holds all that is not above its bound. */
  readings(labels: Labels): Reading[] {
    let total = 0;
    const buckets = this.#counts.map((count, index) => {
      total += count;
      const le = String(this.#bounds[index] ?? '+Inf');
      return { suffix: '_bucket', labels: { ...labels, le }, value: total };
    });
    return [...buckets, { suffix: '_sum', labels, value: this.#sum }, { suffix: '_count', labels, value: total }];
  }
}

export type Labels = Readonly<Record<string, string>>;

/** One line of what is served. */
export interface Reading {
  /** Follows the metric's name. */
  readonly suffix: string;
  readonly labels: Labels;
  readonly value: number;
}

/** What is not counted as it happens but looked up when asked for. */
export type Source = () => Iterable<{ readonly labels: readonly string[]; readonly value: number }>;

/** The children of one metric, by the values of its labels. */
class Family<Child> {
  readonly #names: readonly string[];
  readonly #make: () => Child;
  readonly #children = new Map<string, { readonly labels: Labels; readonly child: Child }>();

  constructor(names: readonly string[], make: () => Child) {
    this.#names = names;
    this.#make = make;
  }

  child(values: readonly string[]): Child {
    const key = values.join('\n');
    const known = this.#children.get(key);
    if (known) return known.child;
    const child = this.#make();
    this.#children.set(key, { labels: labelled(this.#names, values), child });
    return child;
  }

  readings(read: (child: Child, labels: Labels) => readonly Reading[]): Reading[] {
    return [...this.#children.values()].flatMap(({ child, labels }) => read(child, labels));
  }
}

const labelled = (names: readonly string[], values: readonly string[]): Labels =>
  Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));

/**
 * Holds what was counted, in plain numbers: recording happens on the path of every request, reading twice a minute.
 * Recording never asks whether a metric is shown.
 */
export class Recorder {
  readonly #numbers = new Map<string, Family<Cell>>();
  readonly #histograms = new Map<string, Family<Histogram>>();
  readonly #sources = new Map<string, Source>();

  /** The number for these label values, in the order of the table. Keep it: looking it up costs more than counting. */
  number(name: NumberMetric, labels: readonly string[]): Cell {
    return familyOf(this.#numbers, name, () => ({ value: 0 })).child(labels);
  }

  /** As `number`, for a distribution. */
  histogram(name: HistogramMetric, labels: readonly string[]): Histogram {
    return familyOf(this.#histograms, name, () => new Histogram(METRICS[name].buckets)).child(labels);
  }

  /** From now on the metric is what `source` says whenever somebody asks. */
  collect(name: NumberMetric, source: Source): void {
    this.#sources.set(name, source);
  }

  readings(name: string, spec: MetricSpec): Reading[] {
    const source = this.#sources.get(name);
    if (source) {
      return Array.from(source(), ({ labels, value }) => ({
        suffix: '',
        labels: labelled(spec.labels, labels),
        value,
      }));
    }
    const numbers = this.#numbers.get(name);
    if (numbers) return numbers.readings(({ value }, labels) => [{ suffix: '', labels, value }]);
    return this.#histograms.get(name)?.readings((histogram, labels) => histogram.readings(labels)) ?? [];
  }
}

function familyOf<Child>(
  families: Map<string, Family<Child>>,
  name: NumberMetric | HistogramMetric,
  make: () => Child,
): Family<Child> {
  const known = families.get(name);
  if (known) return known;
  const family = new Family(METRICS[name].labels, make);
  families.set(name, family);
  return family;
}
