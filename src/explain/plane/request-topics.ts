import type { Labels } from '../../observe/metrics/distributions.ts';
import { METRICS } from '../../observe/metrics/metrics.ts';
import type { Recorder } from '../../observe/metrics/recorder.ts';
import { addDistributions, addNumbers, keyOf, type LabelsOf, observedIn } from './counting.ts';
import type { Row } from './figure-rows.ts';
import { Increments } from './increments.ts';
import { BYTES, MILLISECONDS, NUMBER, PER_SECOND, type Topic } from './topic.ts';

const BOUNDS = METRICS.apiserver_request_duration_seconds.buckets;

/** What lasts as long as its client likes says nothing of how fast the server is. */
const LASTING: ReadonlySet<string | undefined> = new Set(['WATCH', 'CONNECT']);

const targetOf: LabelsOf = ({ verb = '', group = '', resource = '', subresource = '' }) =>
  LASTING.has(verb) ? undefined : { verb, group, resource, subresource };

const ofAll: LabelsOf = ({ verb }) => (LASTING.has(verb) ? undefined : {});

/** Where a status code is counted: a fault of the server, or a refusal; undefined: neither. */
function faultOf({ code }: Labels): number | undefined {
  const status = Number(code);
  if (status >= 500) return 0;
  return status >= 400 ? 1 : undefined;
}

/** Requests by verb and resource, and all of them together. */
export function requestsTopic(recorder: Recorder): Topic {
  const ofEach = new RequestRows(recorder, targetOf);
  const together = new RequestRows(recorder, ofAll);
  return {
    name: 'requests',
    figures: [
      { name: 'rate', unit: PER_SECOND },
      { name: 'errors', unit: PER_SECOND },
      { name: 'refusals', unit: PER_SECOND },
      { name: 'mean', unit: MILLISECONDS },
      { name: 'p50', unit: MILLISECONDS },
      { name: 'p99', unit: MILLISECONDS },
    ],
    most: 21,
    look: (seconds) => [...together.look(seconds), ...ofEach.look(seconds)],
  };
}

class RequestRows {
  readonly #recorder: Recorder;
  readonly #labelsOf: LabelsOf;
  readonly #answered = new Increments();
  readonly #failed = new Increments();

  constructor(recorder: Recorder, labelsOf: LabelsOf) {
    this.#recorder = recorder;
    this.#labelsOf = labelsOf;
  }

  look(seconds: number): Row[] {
    const codes = this.#recorder.numbers('apiserver_request_total');
    const failed = new Map(
      this.#failed
        .of(addNumbers(new Map(), codes, this.#labelsOf, 2, faultOf))
        .map(({ labels, counts }) => [keyOf(labels), counts]),
    );
    const durations = this.#recorder.histograms('apiserver_request_duration_seconds');
    return this.#answered.of(addDistributions(durations, this.#labelsOf)).map(({ labels, counts }) => {
      const { count, meanMs, p50Ms, p99Ms } = observedIn(counts, BOUNDS);
      const [errors = 0, refusals = 0] = failed.get(keyOf(labels)) ?? [];
      return {
        labels,
        weight: count / seconds,
        values: [count / seconds, errors / seconds, refusals / seconds, meanMs, p50Ms, p99Ms],
      };
    });
  }
}

/** Watches that are open, by resource, and all of them together. */
export const watchesTopic = (recorder: Recorder): Topic => ({
  name: 'watches',
  figures: [{ name: 'open', unit: NUMBER }],
  most: 12,
  *look() {
    const open = () => recorder.numbers('apiserver_longrunning_requests');
    const byResource: LabelsOf = ({ verb, group = '', resource = '' }) =>
      verb === 'WATCH' ? { group, resource } : undefined;
    const counted = addNumbers(new Map(), open(), ({ verb }) => (verb === 'WATCH' ? {} : undefined), 1);
    for (const { labels, counts } of addNumbers(counted, open(), byResource, 1).values()) {
      const [value = 0] = counts;
      yield { labels, weight: value, values: [value] };
    }
  },
});

/** What watchers are sent, by kind, and all of it together. */
export function watchEventsTopic(recorder: Recorder): Topic {
  const ofEach = new Increments();
  const together = new Increments();
  return {
    name: 'watches',
    figures: [
      { name: 'events', unit: PER_SECOND },
      { name: 'sent', unit: `${BYTES}/s` },
    ],
    most: 12,
    look(seconds) {
      const sent = () => recorder.histograms('apiserver_watch_events_sizes');
      const byKind: LabelsOf = ({ group = '', kind = '' }) => ({ group, kind });
      const grown = [
        ...together.of(addDistributions(sent(), () => ({}))),
        ...ofEach.of(addDistributions(sent(), byKind)),
      ];
      return grown.map(({ labels, counts }) => {
        const events = counts.subarray(0, -1).reduce((sum, count) => sum + count, 0) / seconds;
        return { labels, weight: events, values: [events, (counts.at(-1) ?? 0) / seconds] };
      });
    },
  };
}
