import { performance } from 'node:perf_hooks';
import { cacheSizes } from '../../bounds/caches.ts';
import { type HistogramMetric, METRICS, type NumberMetric } from '../../observe/metrics/metrics.ts';
import type { Recorder } from '../../observe/metrics/recorder.ts';
import { addDistributions, addNumbers, keyOf, type LabelsOf, observedIn } from './counting.ts';
import type { Row } from './figure-rows.ts';
import { type CountedByKey, Increments } from './increments.ts';
import { BYTES, IDLE_WEIGHT, MILLISECONDS, NUMBER, PER_SECOND, type Topic } from './topic.ts';

const WEBHOOK_BOUNDS = METRICS.apiserver_admission_webhook_admission_duration_seconds.buckets;

/** Admission webhooks: how fast they answer, and how often they cannot be asked or refuse. */
export function webhooksTopic(recorder: Recorder): Topic {
  const called = new Increments();
  const failed = new Increments();
  const labelsOf: LabelsOf = ({ name = '', type = '' }) => ({ webhook: name, phase: type });
  return {
    name: 'webhooks',
    figures: [
      { name: 'rate', unit: PER_SECOND },
      { name: 'failures', unit: PER_SECOND },
      { name: 'refusals', unit: PER_SECOND },
      { name: 'mean', unit: MILLISECONDS },
      { name: 'p99', unit: MILLISECONDS },
    ],
    most: 16,
    look(seconds) {
      const rejections = recorder.numbers('apiserver_admission_webhook_rejection_count');
      const open = recorder.numbers('apiserver_admission_webhook_fail_open_count');
      const faults = addNumbers(new Map(), open, labelsOf, 2);
      addNumbers(faults, rejections, labelsOf, 2, ({ error_type: error }) => (error === 'no_error' ? 1 : 0));
      const failures = new Map(failed.of(faults).map(({ labels, counts }) => [keyOf(labels), counts]));
      const durations = recorder.histograms('apiserver_admission_webhook_admission_duration_seconds');
      return called.of(addDistributions(durations, labelsOf)).map(({ labels, counts }) => {
        const { count, meanMs, p99Ms } = observedIn(counts, WEBHOOK_BOUNDS);
        const [faulty = 0, refused = 0] = failures.get(keyOf(labels)) ?? [];
        const values = [count / seconds, faulty / seconds, refused / seconds, meanMs, p99Ms];
        return { labels, weight: count / seconds, values };
      });
    },
  };
}

const WAIT_BOUNDS = METRICS.apiserver_flowcontrol_request_wait_duration_seconds.buckets;

/** Priority levels: what is taken of them, and who waits. */
export function flowTopic(recorder: Recorder): Topic {
  const waited = new Increments();
  const counted = new Increments();
  const levelOf: LabelsOf = ({ priority_level: level = '' }) => ({ level });
  const now = (name: NumberMetric): CountedByKey => addNumbers(new Map(), recorder.numbers(name), levelOf, 1);
  return {
    name: 'flow',
    figures: [
      { name: 'seats', unit: NUMBER },
      { name: 'limit', unit: NUMBER },
      { name: 'queued', unit: NUMBER },
      { name: 'dispatched', unit: PER_SECOND },
      { name: 'refused', unit: PER_SECOND },
      { name: 'wait', unit: MILLISECONDS },
    ],
    most: 16,
    *look(seconds) {
      const done = addNumbers(
        new Map(),
        recorder.numbers('apiserver_flowcontrol_dispatched_requests_total'),
        levelOf,
        2,
      );
      const refusals = recorder.numbers('apiserver_flowcontrol_rejected_requests_total');
      addNumbers(done, refusals, levelOf, 2, () => 1);
      const rates = new Map(counted.of(done).map(({ labels, counts }) => [keyOf(labels), counts]));
      const waits = addDistributions(
        recorder.histograms('apiserver_flowcontrol_request_wait_duration_seconds'),
        levelOf,
      );
      const waitsOf = new Map(waited.of(waits).map(({ labels, counts }) => [keyOf(labels), counts]));
      const seats = now('apiserver_flowcontrol_request_concurrency_in_use');
      const queued = now('apiserver_flowcontrol_current_inqueue_requests');
      for (const [level, { labels, counts }] of now('apiserver_flowcontrol_request_concurrency_limit')) {
        const [dispatched = 0, refused = 0] = rates.get(level) ?? [];
        const wait = waitsOf.get(level);
        const values = [
          ...[seats.get(level)?.counts[0] ?? 0, counts[0] ?? 0, queued.get(level)?.counts[0] ?? 0],
          ...[dispatched / seconds, refused / seconds, wait ? observedIn(wait, WAIT_BOUNDS).p99Ms : 0],
        ];
        yield { labels, weight: IDLE_WEIGHT + dispatched + refused, values };
      }
    },
  };
}

const COMMIT_BOUNDS = METRICS.etcd_request_duration_seconds.buckets;

/** The store: what it holds, how much of the past, and how long writes to it take. */
export function storageTopic(recorder: Recorder): Topic {
  const commits = new Increments();
  const together = (name: NumberMetric): number => sumOf(recorder.numbers(name));
  return {
    name: 'storage',
    figures: [
      { name: 'objects', unit: NUMBER },
      { name: 'versions', unit: NUMBER },
      { name: 'history', unit: BYTES },
      { name: 'size', unit: BYTES },
      { name: 'used', unit: BYTES },
      { name: 'writes', unit: PER_SECOND },
      { name: 'mean', unit: MILLISECONDS },
      { name: 'p99', unit: MILLISECONDS },
    ],
    most: 1,
    look(seconds) {
      const [grown] = commits.of(addDistributions(recorder.histograms('etcd_request_duration_seconds'), () => ({})));
      const { count = 0, meanMs = 0, p99Ms = 0 } = grown ? observedIn(grown.counts, COMMIT_BOUNDS) : {};
      const values = [
        together('apiserver_storage_objects'),
        together('apiserver_version_log_versions'),
        together('apiserver_version_log_history_bytes'),
        together('apiserver_storage_size_bytes'),
        together('apiserver_storage_used_bytes'),
        ...[count / seconds, meanMs, p99Ms],
      ];
      return [{ labels: {}, weight: 1, values }];
    },
  };
}

/** The process: processor, memory, and how busy the event loop is. */
export function processTopic(): Topic {
  let cpu = process.cpuUsage();
  let loop = performance.eventLoopUtilization();
  return {
    name: 'process',
    figures: [
      { name: 'cpu', unit: 'cores' },
      { name: 'eventLoop', unit: 'share' },
      { name: 'resident', unit: BYTES },
      { name: 'heap', unit: BYTES },
      { name: 'external', unit: BYTES },
      { name: 'caches', unit: BYTES },
    ],
    most: 1,
    look(seconds) {
      const used = process.cpuUsage(cpu);
      const { utilization } = performance.eventLoopUtilization(loop);
      cpu = process.cpuUsage();
      loop = performance.eventLoopUtilization();
      const { rss, heapUsed, external } = process.memoryUsage();
      const caches = cacheSizes().reduce((sum, { bytes }) => sum + bytes, 0);
      const values = [(used.user + used.system) / 1e6 / seconds, utilization, rss, heapUsed, external, caches];
      return [{ labels: {}, weight: 1, values }];
    },
  };
}

const WORK_BOUNDS = METRICS.workqueue_work_duration_seconds.buckets;

/** Control loops and their queues. */
export function loopsTopic(recorder: Recorder): Topic {
  const worked = new Increments();
  const counted = new Increments();
  const waited = new Increments();
  const loopOf: LabelsOf = ({ name = '' }) => ({ loop: name });
  const grownBy = (increments: Increments, name: HistogramMetric) =>
    new Map(
      increments
        .of(addDistributions(recorder.histograms(name), loopOf))
        .map(({ labels, counts }) => [keyOf(labels), observedIn(counts, WORK_BOUNDS)]),
    );
  return {
    name: 'loops',
    figures: [
      { name: 'depth', unit: NUMBER },
      { name: 'rate', unit: PER_SECOND },
      { name: 'retries', unit: PER_SECOND },
      { name: 'work', unit: MILLISECONDS },
      { name: 'wait', unit: MILLISECONDS },
    ],
    most: 32,
    *look(seconds): Iterable<Row> {
      const both = addNumbers(new Map(), recorder.numbers('workqueue_adds_total'), loopOf, 2);
      addNumbers(both, recorder.numbers('workqueue_retries_total'), loopOf, 2, () => 1);
      const rates = new Map(counted.of(both).map(({ labels, counts }) => [keyOf(labels), counts]));
      const work = grownBy(worked, 'workqueue_work_duration_seconds');
      const wait = grownBy(waited, 'workqueue_queue_duration_seconds');
      for (const [loop, { labels, counts }] of addNumbers(new Map(), recorder.numbers('workqueue_depth'), loopOf, 1)) {
        const [added = 0, retried = 0] = rates.get(loop) ?? [];
        const values = [
          ...[counts[0] ?? 0, added / seconds, retried / seconds],
          ...[work.get(loop)?.meanMs ?? 0, wait.get(loop)?.meanMs ?? 0],
        ];
        yield { labels, weight: IDLE_WEIGHT + added, values };
      }
    },
  };
}

function sumOf(readings: Iterable<{ readonly value: number }>): number {
  let sum = 0;
  for (const { value } of readings) sum += value;
  return sum;
}
