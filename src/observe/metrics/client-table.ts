import type { MetricSpec } from './metric-spec.ts';

const TRANSFERRED_BYTES = [
  64,
  256,
  512,
  1024,
  ...[4, 16, 64, 256, 1024, 4096, 16_384].map((kibibytes) => kibibytes * 1024),
];

/** What a process counts that is a client of a plane. */
export const CLIENT_METRICS = {
  rest_client_requests_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Requests sent to the plane, by the code of the answer; <error> where there was none.',
    labels: ['code', 'host', 'method'],
  },
  rest_client_request_duration_seconds: {
    type: 'histogram',
    stability: 'ALPHA',
    help: 'Seconds until the plane began to answer.',
    labels: ['host', 'verb'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60],
  },
  rest_client_request_size_bytes: {
    type: 'histogram',
    stability: 'ALPHA',
    help: 'Bytes of what was sent to the plane.',
    labels: ['host', 'verb'],
    buckets: TRANSFERRED_BYTES,
  },
  rest_client_response_size_bytes: {
    type: 'histogram',
    stability: 'ALPHA',
    help: 'Bytes of what the plane answered, streams aside.',
    labels: ['host', 'verb'],
    buckets: TRANSFERRED_BYTES,
  },
  leader_election_master_status: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Whether this process leads: 1, or stands by: 0.',
    labels: ['name'],
  },
} as const satisfies Readonly<Record<string, MetricSpec>>;
