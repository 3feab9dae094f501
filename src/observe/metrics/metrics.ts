import { ACCESS_METRICS } from './access-table.ts';
import { CLIENT_METRICS } from './client-table.ts';
import { CONFIGURATION_METRICS } from './configuration-metrics.ts';
import { FLOW_METRICS } from './flow-table.ts';
import type { MetricSpec } from './metric-spec.ts';
import { OPERATION_METRICS } from './operation-table.ts';
import { STORAGE_METRICS } from './storage-table.ts';

const TARGET = ['group', 'version', 'resource', 'subresource', 'scope', 'component'] as const;

/** Seconds: fine where most answers are, coarse up to the minute in which any request must be answered. */
const REQUEST_SECONDS = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];

const ADMISSION_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5];

const WEBHOOK = ['name', 'type'] as const;

/** Every metric of the server. Stability, deprecation and hiding by release follow from this table alone. */
export const METRICS = {
  apiserver_request_total: {
    type: 'counter',
    stability: 'STABLE',
    help: 'Requests answered, by verb, dry run, resource, scope, component and status code.',
    labels: ['verb', 'dry_run', ...TARGET, 'code'],
  },
  apiserver_request_duration_seconds: {
    type: 'histogram',
    stability: 'STABLE',
    help: 'Seconds from the arrival of a request to its answer, or to the end of its stream.',
    labels: ['verb', 'dry_run', ...TARGET],
    buckets: REQUEST_SECONDS,
  },
  apiserver_request_slo_duration_seconds: {
    type: 'histogram',
    stability: 'ALPHA',
    help: 'Seconds from the arrival of a request to its answer, without the time that admission webhooks took.',
    labels: ['verb', ...TARGET],
    buckets: REQUEST_SECONDS.slice(2),
    deprecatedIn: '1.27',
  },
  apiserver_request_sli_duration_seconds: {
    type: 'histogram',
    stability: 'ALPHA',
    help: 'Seconds from the arrival of a request to its answer, without the time that admission webhooks took.',
    labels: ['verb', ...TARGET],
    buckets: REQUEST_SECONDS.slice(2),
    sameAs: 'apiserver_request_slo_duration_seconds',
    addedIn: '1.26',
  },
  apiserver_request_terminations_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Requests that the server gave up or turned away to protect itself, by the code of the answer.',
    labels: ['verb', ...TARGET, 'code'],
  },
  apiserver_request_aborts_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Answers that the server broke off after they had begun.',
    labels: ['verb', ...TARGET.slice(0, -1)],
  },
  apiserver_request_post_timeout_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'What came of requests after their clients had been told that time is over.',
    labels: ['source', 'status'],
  },
  apiserver_request_filter_duration_seconds: {
    type: 'histogram',
    stability: 'ALPHA',
    help: 'Seconds that a stage before the work itself took of a request.',
    labels: ['filter'],
    buckets: [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5],
  },
  apiserver_selfrequest_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Requests that the server sent to itself: those of its control loops.',
    labels: ['verb', 'resource', 'subresource'],
  },
  field_validation_request_duration_seconds: {
    type: 'histogram',
    stability: 'ALPHA',
    help: 'Seconds from the arrival of a write to its answer, by what was to happen with fields that nobody knows.',
    labels: ['field_validation', 'enabled'],
    buckets: REQUEST_SECONDS.slice(2),
  },
  apiserver_response_sizes: {
    type: 'histogram',
    stability: 'STABLE',
    help: 'Bytes of answers to reads, before they are compressed for the way.',
    labels: ['verb', ...TARGET],
    buckets: [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9],
  },
  apiserver_current_inflight_requests: {
    type: 'gauge',
    stability: 'STABLE',
    help: 'Requests being worked on now, long-running ones aside, by whether they change anything.',
    labels: ['request_kind'],
  },
  apiserver_longrunning_requests: {
    type: 'gauge',
    stability: 'STABLE',
    help: 'Watches and other streams that are open now.',
    labels: ['verb', ...TARGET],
  },
  apiserver_requested_deprecated_apis: {
    type: 'gauge',
    stability: 'STABLE',
    help: 'Versions on their way out that were asked for since the start, and the release that removes them.',
    labels: ['group', 'version', 'resource', 'subresource', 'removed_release'],
  },
  aggregator_unavailable_apiservice: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Whether an APIService leads to a server that cannot be asked now: 1 if so, 0 if it can.',
    labels: ['name'],
  },
  apiserver_audit_event_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Audit events made and handed to the backends.',
    labels: [],
  },
  apiserver_audit_error_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Audit events that were lost, by the part that lost them.',
    labels: ['plugin'],
  },
  apiserver_audit_level_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Requests by how fully the audit policy wants them recorded.',
    labels: ['level'],
  },
  apiserver_audit_requests_rejected_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Requests refused because their arrival could not be recorded.',
    labels: [],
  },
  apiserver_admission_step_admission_duration_seconds: {
    type: 'histogram',
    stability: 'STABLE',
    help: 'Seconds that a phase of admission took, by operation and whether it refused the request.',
    labels: ['type', 'operation', 'rejected'],
    buckets: ADMISSION_SECONDS,
  },
  apiserver_admission_step_admission_duration_seconds_summary: {
    type: 'summary',
    stability: 'ALPHA',
    help: 'Seconds that a phase of admission took, of the last few hundred times.',
    labels: ['type', 'operation', 'rejected'],
  },
  apiserver_admission_controller_admission_duration_seconds: {
    type: 'histogram',
    stability: 'STABLE',
    help: 'Seconds that an admission plugin took, by phase, operation and whether it refused the request.',
    labels: ['name', 'type', 'operation', 'rejected'],
    buckets: ADMISSION_SECONDS,
  },
  apiserver_admission_webhook_admission_duration_seconds: {
    type: 'histogram',
    stability: 'STABLE',
    help: 'Seconds that calls of admission webhooks took, by webhook, phase, operation and whether that refused the request.',
    labels: [...WEBHOOK, 'operation', 'rejected'],
    buckets: [...ADMISSION_SECONDS, 10, 25],
  },
  apiserver_admission_webhook_request_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Calls of admission webhooks, by the code of their answer; 0 where there was none.',
    labels: [...WEBHOOK, 'operation', 'code', 'rejected'],
  },
  apiserver_admission_webhook_rejection_count: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Requests refused because of an admission webhook, by whether it said so, could not be called or asked for nonsense.',
    labels: [...WEBHOOK, 'operation', 'error_type', 'rejection_code'],
  },
  apiserver_admission_webhook_fail_open_count: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Calls of admission webhooks that failed and were passed over.',
    labels: WEBHOOK,
  },
  ...STORAGE_METRICS,
  apiserver_dropped_requests_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Requests turned away because as many as may be were being worked on, without fair queueing.',
    labels: ['request_kind'],
  },
  ...FLOW_METRICS,
  apiserver_memory_limit_bytes: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Memory that the server tries to get along with.',
    labels: [],
  },
  apiserver_memory_use_bytes: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Memory in use, without what is resident but free inside of the process.',
    labels: [],
  },
  apiserver_memory_refused_requests_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Requests refused because memory was short, by how much they matter.',
    labels: ['importance'],
  },
  apiserver_request_body_budget_bytes: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Bytes of request bodies that may be under way together.',
    labels: [],
  },
  apiserver_request_body_bytes: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Bytes of request bodies that are under way now, reserved ones included.',
    labels: [],
  },
  apiserver_request_bodies_waiting: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Request bodies that wait for room now.',
    labels: [],
  },
  apiserver_request_bodies_refused_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Request bodies refused because there was no room for them.',
    labels: [],
  },
  apiserver_cache_bytes: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Bytes that the caches of the process hold, estimated, by cache.',
    labels: ['cache'],
  },
  apiserver_cache_entries: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Entries of the caches of the process, by cache.',
    labels: ['cache'],
  },
  ...ACCESS_METRICS,
  ...CLIENT_METRICS,
  ...OPERATION_METRICS,
  ...CONFIGURATION_METRICS,
} as const satisfies Readonly<Record<string, MetricSpec>>;

type NamesOf<Type> = {
  [Name in keyof typeof METRICS]: (typeof METRICS)[Name]['type'] extends Type ? Name : never;
}[keyof typeof METRICS];

export type NumberMetric = NamesOf<'counter' | 'gauge'>;
export type HistogramMetric = NamesOf<'histogram'>;
export type SummaryMetric = NamesOf<'summary'>;
