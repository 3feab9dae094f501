import { Histogram, type Labels, type Reading, Summary } from './distributions.ts';
import type { MetricSpec } from './metric-spec.ts';
import { type HistogramMetric, METRICS, type NumberMetric, type SummaryMetric } from './metrics.ts';

/** One number of a counter or gauge, changed in place by whoever asked for it. */
export interface Cell {
  value: number;
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

  children(): Iterable<{ readonly labels: Labels; readonly child: Child }> {
    return this.#children.values();
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
  readonly #summaries = new Map<string, Family<Summary>>();
  readonly #sources = new Map<string, Source>();
  readonly #beforeReading: (() => void)[] = [];

  /** The number for these label values, in the order of the table. Keep it: looking it up costs more than counting. */
  number(name: NumberMetric, labels: readonly string[]): Cell {
    return familyOf(this.#numbers, name, () => ({ value: 0 })).child(labels);
  }

  /** As `number`, for a distribution. */
  histogram(name: HistogramMetric, labels: readonly string[]): Histogram {
    return familyOf(this.#histograms, name, () => new Histogram(METRICS[name].buckets)).child(labels);
  }

  /** As `number`, for the quantiles of what was observed last. */
  summary(name: SummaryMetric, labels: readonly string[]): Summary {
    return familyOf(this.#summaries, name, () => new Summary()).child(labels);
  }

  /** Has something brought up to date whenever all is about to be read. */
  beforeReading(bring: () => void): void {
    this.#beforeReading.push(bring);
  }

  /** To be called before `readings`, once for all of them. */
  prepare(): void {
    for (const bring of this.#beforeReading) bring();
  }

  /** From now on the metric is what `source` says whenever somebody asks. */
  collect(name: NumberMetric, source: Source): void {
    this.#sources.set(name, source);
  }

  /** What there is of a number now, for those who look often: no texts are put together. */
  *numbers(name: NumberMetric): Iterable<{ readonly labels: Labels; readonly value: number }> {
    const source = this.#sources.get(name);
    const names = METRICS[name].labels;
    if (source) for (const { labels, value } of source()) yield { labels: labelled(names, labels), value };
    for (const { labels, child } of this.#numbers.get(name)?.children() ?? []) yield { labels, value: child.value };
  }

  /** As `numbers`, of a distribution. */
  *histograms(name: HistogramMetric): Iterable<{ readonly labels: Labels; readonly histogram: Histogram }> {
    for (const { labels, child } of this.#histograms.get(name)?.children() ?? []) yield { labels, histogram: child };
  }

  /** What a metric says, taken as it is asked for: a distribution always at once. */
  *readings(metric: string, spec: MetricSpec): Iterable<Reading> {
    const name = spec.sameAs ?? metric;
    const source = this.#sources.get(name);
    if (source) {
      for (const { labels, value } of source()) yield { suffix: '', labels: labelled(spec.labels, labels), value };
      return;
    }
    for (const { child, labels } of childrenOf(this.#numbers, name)) yield { suffix: '', labels, value: child.value };
    for (const { child, labels } of childrenOf(this.#histograms, name)) yield* child.readings(labels);
    for (const { child, labels } of childrenOf(this.#summaries, name)) yield* child.readings(labels);
  }
}

const childrenOf = <Child>(families: ReadonlyMap<string, Family<Child>>, name: string) =>
  families.get(name)?.children() ?? [];

function familyOf<Child>(
  families: Map<string, Family<Child>>,
  name: NumberMetric | HistogramMetric | SummaryMetric,
  make: () => Child,
): Family<Child> {
  const known = families.get(name);
  if (known) return known;
  const family = new Family(METRICS[name].labels, make);
  families.set(name, family);
  return family;
}
