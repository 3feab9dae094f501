import type { MetricSpec } from './metric-spec.ts';

/** Seconds of a control loop, from ten nanoseconds to ten seconds. */
const WORK_SECONDS = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10];

const EVENT = ['group', 'version', 'kind'] as const;

/** What is counted beside the requests themselves. */
export const OPERATION_METRICS = {
  build_info: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Always 1; the labels say what was built, from what and when.',
    labels: [
      ...['major', 'minor', 'git_version', 'git_commit', 'git_tree_state'],
      ...['build_date', 'go_version', 'compiler', 'platform'],
    ],
    named: 'buildInfo',
  },
  feature_enabled: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Whether a feature is on: 1, or off: 0, by name and stage.',
    labels: ['name', 'stage'],
    named: 'featureEnabled',
  },
  authentication_attempts: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Requests by whether it could be told who sends them: success, failure without a credential, error with a bad one.',
    labels: ['result'],
  },
  authentication_duration_seconds: {
    type: 'histogram',
    stability: 'ALPHA',
    help: 'Seconds that it took to tell who sends a request, by the outcome.',
    labels: ['result'],
    buckets: [0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1.024, 2.048, 4.096, 8.192, 16.384],
  },
  apiserver_watch_events_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Events sent to watchers.',
    labels: EVENT,
  },
  apiserver_watch_events_sizes: {
    type: 'histogram',
    stability: 'ALPHA',
    help: 'Bytes of events sent to watchers; events that are sent together count by their average.',
    labels: EVENT,
    buckets: [1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072],
  },
  workqueue_adds_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Keys that a control loop was asked to look at.',
    labels: ['name'],
  },
  workqueue_depth: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Keys that wait for a control loop now.',
    labels: ['name'],
  },
  workqueue_queue_duration_seconds: {
    type: 'histogram',
    stability: 'ALPHA',
    help: 'Seconds that keys waited for a control loop.',
    labels: ['name'],
    buckets: WORK_SECONDS,
  },
  workqueue_work_duration_seconds: {
    type: 'histogram',
    stability: 'ALPHA',
    help: 'Seconds that a control loop took for a key.',
    labels: ['name'],
    buckets: WORK_SECONDS,
  },
  workqueue_retries_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Keys that a control loop will look at again because it could not finish.',
    labels: ['name'],
  },
  workqueue_unfinished_work_seconds: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Seconds that work which is not finished has taken so far.',
    labels: ['name'],
  },
  workqueue_longest_running_processor_seconds: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Seconds that the key now being looked at has taken so far.',
    labels: ['name'],
  },
  process_cpu_seconds_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Processor time used, in user and system mode.',
    labels: [],
  },
  process_resident_memory_bytes: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Memory the process holds in RAM.',
    labels: [],
  },
  process_start_time_seconds: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'When the process started, in seconds since the epoch.',
    labels: [],
  },
  nodejs_heap_size_total_bytes: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Memory reserved for the JavaScript heap.',
    labels: [],
  },
  nodejs_heap_size_used_bytes: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Memory used of the JavaScript heap.',
    labels: [],
  },
  nodejs_external_memory_bytes: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Memory of buffers outside of the JavaScript heap.',
    labels: [],
  },
} as const satisfies Readonly<Record<string, MetricSpec>>;
