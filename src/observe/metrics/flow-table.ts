import type { MetricSpec } from './metric-spec.ts';

/** Seconds that requests wait for their turn, or take once it has come. */
const TURN_SECONDS = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];

const FLOW = ['priority_level', 'flow_schema'] as const;

/** What is counted of requests that share the server by priority and fairness. */
export const FLOW_METRICS = {
  apiserver_flowcontrol_rejected_requests_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Requests turned away, and why: no room to run or to wait, waited too long, or the client went away.',
    labels: [...FLOW, 'reason'],
  },
  apiserver_flowcontrol_dispatched_requests_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Requests whose turn has come.',
    labels: FLOW,
  },
  apiserver_flowcontrol_current_inqueue_requests: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Requests that wait for their turn now.',
    labels: FLOW,
  },
  apiserver_flowcontrol_current_executing_requests: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Requests being worked on now; watches until their answer begins.',
    labels: FLOW,
  },
  apiserver_flowcontrol_request_concurrency_in_use: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Seats taken by the requests being worked on now.',
    labels: FLOW,
  },
  apiserver_flowcontrol_request_concurrency_limit: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Seats of a priority level.',
    labels: ['priority_level'],
  },
  apiserver_flowcontrol_request_queue_length_after_enqueue: {
    type: 'histogram',
    stability: 'ALPHA',
    help: 'Length of the queue that a request joined, the request included.',
    labels: FLOW,
    buckets: [0, 10, 25, 50, 100, 250, 500, 1000],
  },
  apiserver_flowcontrol_request_wait_duration_seconds: {
    type: 'histogram',
    stability: 'ALPHA',
    help: 'Seconds that requests waited, by whether their turn came.',
    labels: [...FLOW, 'execute'],
    buckets: TURN_SECONDS,
  },
  apiserver_flowcontrol_request_execution_seconds: {
    type: 'histogram',
    stability: 'ALPHA',
    help: 'Seconds from the turn of a request to its answer.',
    labels: [...FLOW, 'type'],
    buckets: TURN_SECONDS,
  },
  apiserver_flowcontrol_work_estimated_seats: {
    type: 'histogram',
    stability: 'ALPHA',
    help: 'Seats that requests took.',
    labels: FLOW,
    buckets: [1, 2, 4, 10],
  },
  apiserver_flowcontrol_nominal_limit_seats: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Seats of a priority level, by its share alone.',
    labels: ['priority_level'],
    sameAs: 'apiserver_flowcontrol_request_concurrency_limit',
    addedIn: '1.26',
  },
  apiserver_flowcontrol_current_r: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Virtual time of a priority level, in seat-seconds, when one of its requests last began.',
    labels: ['priority_level'],
  },
  apiserver_flowcontrol_priority_level_request_utilization: {
    type: 'histogram',
    stability: 'UNSTATED',
    help: 'Nanoseconds by how much of the room for requests was used: of the queues by those that wait, of the seats by those being worked on.',
    labels: ['phase', 'priority_level'],
    buckets: [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1],
  },
  apiserver_flowcontrol_priority_level_seat_utilization: {
    type: 'histogram',
    stability: 'UNSTATED',
    help: 'Nanoseconds by how many of the seats of a priority level were taken.',
    labels: ['phase', 'priority_level'],
    buckets: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1],
  },
  apiserver_flowcontrol_read_vs_write_current_requests: {
    type: 'histogram',
    stability: 'UNSTATED',
    help: 'Nanoseconds by how many requests waited or were being worked on, of as many as may be.',
    labels: ['phase', 'request_kind'],
    buckets: [0, 0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1],
  },
  apiserver_current_inqueue_requests: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Requests that wait for their turn now, by whether they change anything.',
    labels: ['request_kind'],
  },
} as const satisfies Readonly<Record<string, MetricSpec>>;
