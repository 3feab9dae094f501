import type { Labels, Reading } from './distributions.ts';

/** Stands for every value that is not allowed. */
const UNEXPECTED = 'unexpected';

/**
 * Reads `--allow-metric-labels`, which names the values that a label of a metric may have: `metric,label='a,b'`. All others
 * are shown as one, and what they count is added up. Nothing of this is done while counting.
 */
export class AllowedLabels {
  /** By metric, then by label. */
  readonly #byMetric = new Map<string, Map<string, ReadonlySet<string>>>();

  /** Throws an Error of one line for what cannot be read. */
  constructor(given: readonly string[]) {
    for (const text of given) {
      const { metric, label, values } = readEntry(text);
      const labels = this.#byMetric.get(metric) ?? new Map<string, ReadonlySet<string>>();
      labels.set(label, new Set(values));
      this.#byMetric.set(metric, labels);
    }
  }

  /** What is added up comes after all of it has been read; until then there may be a rest after each `undefined`. */
  *applyTo(metric: string, readings: Iterable<Reading>): Iterable<Reading | undefined> {
    const allowed = this.#byMetric.get(metric);
    if (!allowed) {
      yield* readings;
      return;
    }
    const sums = new Map<string, Reading>();
    for (const { suffix, labels, place, value } of readings) {
      const shown = shownLabels(labels, allowed);
      const key = JSON.stringify([suffix, place, ...Object.values(shown)]);
      sums.set(key, { suffix, labels: shown, ...(place && { place }), value: value + (sums.get(key)?.value ?? 0) });
      yield undefined;
    }
    yield* sums.values();
  }
}

const shownLabels = (labels: Labels, allowed: ReadonlyMap<string, ReadonlySet<string>>): Labels =>
  Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [name, allowed.get(name)?.has(value) === false ? UNEXPECTED : value]),
  );

function readEntry(text: string): { metric: string; label: string; values: string[] } {
  const equals = text.indexOf('=');
  const [metric = '', label = '', ...rest] = text.slice(0, Math.max(0, equals)).trim().split(',');
  if (metric === '' || label === '' || rest.length > 0) {
    throw new Error(`--allow-metric-labels must be METRIC,LABEL='VALUE,...', not "${text}"`);
  }
  const list = text.slice(equals + 1).trim();
  const isQuoted = list.length >= 2 && list.startsWith("'") && list.endsWith("'");
  return { metric, label, values: (isQuoted ? list.slice(1, -1) : list).split(',') };
}
