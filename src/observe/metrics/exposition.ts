import { inSteps, restEveryTurn, type Steps } from '../../runtime/pacing.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Labels, Reading } from './distributions.ts';
import type { MetricSpec } from './metric-spec.ts';

/** One metric as it is served. */
export interface ServedMetric {
  readonly name: string;
  readonly type: MetricSpec['type'];
  readonly help: string;
  /** Taken while they are written. `undefined` is none: there may be a rest. */
  readonly readings: Iterable<Reading | undefined>;
}

export interface Exposition {
  readonly contentType: string;
  readonly parts: readonly Buffer[];
}

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
/** So many characters become one part. */
const PART = 65_536;

/** Writes metrics in the text format that collectors read, in steps: kinds that users define have metrics of their own. */
export async function expose(metrics: Iterable<ServedMetric>, runtime: Runtime): Promise<Exposition> {
  return { contentType: CONTENT_TYPE, parts: await inSteps(written(metrics), restEveryTurn(runtime)) };
}

function* written(metrics: Iterable<ServedMetric>): Steps<Buffer[]> {
  const parts: Buffer[] = [];
  let text = '';
  for (const line of linesOf(metrics)) {
    text += line;
    if (text.length >= PART) {
      parts.push(Buffer.from(text));
      text = '';
    }
    yield;
  }
  parts.push(Buffer.from(text));
  return parts;
}

function* linesOf(metrics: Iterable<ServedMetric>): Iterable<string> {
  for (const { name, type, help, readings } of metrics) {
    yield `# HELP ${name} ${help.replaceAll(/[\\\n]/g, escaped)}\n# TYPE ${name} ${type}\n`;
    let labels: Labels | undefined;
    let shared = '';
    for (const reading of readings) {
      if (reading && reading.labels !== labels) {
        labels = reading.labels;
        shared = Object.entries(labels).map(labelText).join(',');
      }
      yield reading ? `${name}${reading.suffix}${labelsText(shared, reading)} ${valueText(reading.value)}\n` : '';
    }
  }
}

function labelsText(shared: string, { place }: Reading): string {
  if (place === undefined) return shared === '' ? '' : `{${shared}}`;
  return shared === '' ? `{${labelText(place)}}` : `{${shared},${labelText(place)}}`;
}

const labelText = ([name, value]: readonly [string, string]): string =>
  `${name}="${value.replaceAll(/[\\\n"]/g, escaped)}"`;

const escaped = (character: string): string => (character === '\n' ? '\\n' : `\\${character}`);

function valueText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}
