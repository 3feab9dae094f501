/** One value of one metric. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const MOST_LINES = 200_000;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/gy;

/** The samples of one metric in an exposition, as `/metrics` has it. What is no sample is passed over. */
export function samplesOf(exposition: string, metric: string): Sample[] {
  const samples: Sample[] = [];
  for (const line of exposition.split('\n', MOST_LINES)) {
    if (!line.startsWith(metric)) continue;
    const rest = line.slice(metric.length);
    if (rest[0] !== '{' && rest[0] !== ' ') continue;
    const end = rest.lastIndexOf('}');
    const value = Number(rest.slice(end + 1).trim());
    if (!Number.isNaN(value)) samples.push({ labels: labelsIn(rest.slice(1, Math.max(1, end))), value });
  }
  return samples;
}

function labelsIn(text: string): Record<string, string> {
  const labels: [string, string][] = [];
  LABEL.lastIndex = 0;
  for (let match = LABEL.exec(text); match; match = LABEL.exec(text)) {
    labels.push([match[1] ?? '', (match[2] ?? '').replace(/\\(.)/g, (_, one) => (one === 'n' ? '\n' : one))]);
    // A comma, or the end.
    LABEL.lastIndex += 1;
  }
  return Object.fromEntries(labels);
}

/** How much each series has grown, by what `keyOf` makes of its labels. A series that began anew counts as it is. */
export function growth(
  before: readonly Sample[],
  after: readonly Sample[],
  keyOf: (labels: Sample['labels']) => string | undefined,
): Map<string, number> {
  const former = new Map(before.map(({ labels, value }) => [JSON.stringify(labels), value]));
  const grown = new Map<string, number>();
  for (const { labels, value } of after) {
    const key = keyOf(labels);
    const first = former.get(JSON.stringify(labels)) ?? 0;
    if (key !== undefined) grown.set(key, (grown.get(key) ?? 0) + (value >= first ? value - first : value));
  }
  return grown;
}
