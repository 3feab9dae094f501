export type Labels = Readonly<Record<string, string>>;

/** One line of what is served. */
export interface Reading {
  /** Follows the metric's name. */
  readonly suffix: string;
  /** Those of what was counted: the very same for all lines of a distribution. */
  readonly labels: Labels;
  /** One more label, of a line of a distribution: name and value. */
  readonly place?: readonly [string, string];
  readonly value: number;
}

/** How many observations fell into each bucket, and their sum. */
export class Histogram {
  readonly #bounds: readonly number[];
  /** One more than there are bounds: the last is for what exceeds them all. */
  readonly #counts: number[];
  #sum = 0;

  get bounds(): readonly number[] {
    return this.#bounds;
  }

  /** By bucket, not cumulative. */
  get counts(): readonly number[] {
    return this.#counts;
  }

  get sum(): number {
    return this.#sum;
  }

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
      return { suffix: '_bucket', labels, place: placeOf(this.#bounds[index]), value: total };
    });
    return [...buckets, { suffix: '_sum', labels, value: this.#sum }, { suffix: '_count', labels, value: total }];
  }
}

/**
 * For how long a level had each of its values: every nanosecond counts as one observation. Adding to it costs what a
 * histogram costs, whatever the time in between.
 */
export class LevelHistogram {
  readonly #histogram: Histogram;
  #value = 0;
  #since: number;

  /** `now` is monotonic, in milliseconds, here and below. */
  constructor(histogram: Histogram, now: number) {
    this.#histogram = histogram;
    this.#since = now;
  }

  set(value: number, now: number): void {
    this.flush(now);
    this.#value = value;
  }

  /** Counts the time up to now. */
  flush(now: number): void {
    const milliseconds = now - this.#since;
    if (milliseconds <= 0) return;
    this.#histogram.observe(this.#value, Math.round(milliseconds * 1e6));
    this.#since = now;
  }
}

/** So many observations are looked at for quantiles: the last ones. */
const SAMPLE = 512;
const QUANTILES = [0.5, 0.9, 0.99];

/** Quantiles of the last observations; their number and sum are those of all. */
export class Summary {
  readonly #last = new Float64Array(SAMPLE);
  #count = 0;
  #sum = 0;

  observe(value: number): void {
    this.#last[this.#count % SAMPLE] = value;
    this.#count++;
    this.#sum += value;
  }

  readings(labels: Labels): Reading[] {
    const sorted = this.#last.slice(0, Math.min(this.#count, SAMPLE)).sort();
    const quantiles = QUANTILES.map((quantile) => ({
      suffix: '',
      labels,
      place: ['quantile', String(quantile)] as const,
      value: sorted[Math.ceil(quantile * sorted.length) - 1] ?? Number.NaN,
    }));
    return [
      ...quantiles,
      { suffix: '_sum', labels, value: this.#sum },
      { suffix: '_count', labels, value: this.#count },
    ];
  }
}

/** By bound: there are as many as the table of metrics names. */
const places = new Map<number | undefined, readonly [string, string]>();

function placeOf(bound: number | undefined): readonly [string, string] {
  const known = places.get(bound);
  if (known) return known;
  const place = ['le', bound === undefined ? '+Inf' : boundText(bound)] as const;
  places.set(bound, place);
  return place;
}

/** A bound as collectors of the original have it in their queries: `1e+06`, `1e-05`, plain in between. */
function boundText(bound: number): string {
  const [digits = '', exponent = '0'] = bound.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(bound);
  const size = String(Math.abs(power)).padStart(2, '0');
  return `${digits}e${power < 0 ? '-' : '+'}${size}`;
}
