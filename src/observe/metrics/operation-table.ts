import type { MetricSpec } from './metric-spec.ts';

/** Seconds of a control loop, from ten nanoseconds to ten seconds; spelled as collectors know them. */
const WORK_SECONDS = [1e-8, 1e-7, 1e-6, 9.999999999999999e-6, 9.999999999999999e-5, 1e-3, 0.01, 0.1, 1, 10];

const CEL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

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
  healthcheck: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Whether a health check found all well the last time: 1, or not: 0.',
    labels: ['name', 'type'],
    named: 'healthCheck',
    page: 'slis',
    addedIn: '1.26',
  },
  healthchecks_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Health checks made, by their outcome.',
    labels: ['name', 'status', 'type'],
    named: 'healthChecks',
    page: 'slis',
    addedIn: '1.26',
  },
  feature_enabled: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Whether a feature is on: 1, or off: 0, by name and stage.',
    labels: ['name', 'stage'],
    named: 'featureEnabled',
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
  apiserver_cel_compilation_duration_seconds: {
    type: 'histogram',
    stability: 'ALPHA',
    help: 'Seconds to compile a rule of a custom kind.',
    labels: [],
    buckets: CEL_SECONDS,
  },
  apiserver_cel_evaluation_duration_seconds: {
    type: 'histogram',
    stability: 'ALPHA',
    help: 'Seconds to ask the rules of a custom kind about an object.',
    labels: [],
    buckets: CEL_SECONDS,
  },
  clusterip_allocator_allocated_ips: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Addresses that services have.',
    labels: ['cidr'],
    named: 'clusterIpAllocated',
  },
  clusterip_allocator_available_ips: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Addresses that services can still have.',
    labels: ['cidr'],
    named: 'clusterIpAvailable',
  },
  clusterip_allocator_allocation_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Addresses given to services: those that they asked for (static), and any (dynamic).',
    labels: ['cidr', 'scope'],
    named: 'clusterIpAllocations',
  },
  clusterip_allocator_allocation_errors_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Addresses that could not be given to services: those that they asked for (static), and any (dynamic).',
    labels: ['cidr', 'scope'],
    named: 'clusterIpAllocationErrors',
  },
  aggregator_openapi_v2_regeneration_count: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Times that the schemas of all groups were put together, by why: something was added, changed or removed.',
    labels: ['apiservice', 'reason'],
  },
  aggregator_openapi_v2_regeneration_duration: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Seconds that this took the last time.',
    labels: ['reason'],
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
    stability: 'UNSTATED',
    help: 'Processor time used, in user and system mode.',
    labels: [],
  },
  process_resident_memory_bytes: {
    type: 'gauge',
    stability: 'UNSTATED',
    help: 'Memory the process holds in RAM.',
    labels: [],
  },
  process_start_time_seconds: {
    type: 'gauge',
    stability: 'UNSTATED',
    help: 'When the process started, in seconds since the epoch.',
    labels: [],
  },
  process_virtual_memory_bytes: {
    type: 'gauge',
    stability: 'UNSTATED',
    help: 'Address space that the process has.',
    labels: [],
  },
  process_virtual_memory_max_bytes: {
    type: 'gauge',
    stability: 'UNSTATED',
    help: 'Address space that the process may have; -1 for as much as it likes.',
    labels: [],
  },
  process_open_fds: {
    type: 'gauge',
    stability: 'UNSTATED',
    help: 'Files and sockets that are open.',
    labels: [],
  },
  process_max_fds: {
    type: 'gauge',
    stability: 'UNSTATED',
    help: 'Files and sockets that may be open.',
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
