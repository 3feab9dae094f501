import type { MetricSpec } from './metric-spec.ts';

/** Seconds of one operation of a store. */
const STORE_SECONDS = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];

/** Five microseconds, and each bound twice the one before it. */
const TRANSFORMATION_SECONDS = Array.from({ length: 14 }, (_, at) => 5e-6 * 2 ** at);

/** What is counted of the store and of the log that is read from. */
export const STORAGE_METRICS = {
  apiserver_storage_objects: {
    type: 'gauge',
    stability: 'STABLE',
    help: 'Stored objects by resource.',
    labels: ['resource'],
  },
  apiserver_storage_size_bytes: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Bytes that the embedded store takes of its disk.',
    labels: [],
  },
  apiserver_storage_used_bytes: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Bytes of the embedded store that hold something; the others are used again.',
    labels: [],
  },
  apiserver_version_log_versions: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Versions that a watch can still be given.',
    labels: [],
  },
  apiserver_version_log_history_bytes: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Bytes held only to answer for the past.',
    labels: [],
  },
  apiserver_version_log_compactions_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Times that history was forgotten, for whatever reason.',
    labels: [],
  },
  apiserver_version_log_cap_reached_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Times that history was forgotten before its time, because its size reached the cap.',
    labels: [],
  },
  apiserver_version_log_kept_versions: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Versions that are remembered after they can be watched no longer, of kinds with a longer retention.',
    labels: ['resource'],
  },
  apiserver_storage_list_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Lists that were read.',
    labels: ['resource'],
  },
  apiserver_storage_list_fetched_objects_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Objects that were looked at for lists.',
    labels: ['resource'],
  },
  apiserver_storage_list_evaluated_objects_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Objects that selectors of lists were asked about.',
    labels: ['resource'],
  },
  apiserver_storage_list_returned_objects_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Objects that lists gave.',
    labels: ['resource'],
  },
  apiserver_watch_cache_events_dispatched_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Changes that the log has handed to those who follow them.',
    labels: ['resource'],
  },
  apiserver_watch_cache_initializations_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Times that the objects of a resource were read from the store as a whole.',
    labels: ['resource'],
  },
  etcd_request_duration_seconds: {
    type: 'histogram',
    stability: 'ALPHA',
    help: 'Seconds until the store had made a write durable or refused it, by what was done and the resource.',
    labels: ['operation', 'type'],
    buckets: STORE_SECONDS,
  },
  etcd_db_total_size_in_bytes: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Bytes that the store takes of its disk.',
    labels: ['endpoint'],
  },
  apiserver_storage_transformation_duration_seconds: {
    type: 'histogram',
    stability: 'ALPHA',
    help: 'Seconds to encrypt an object on its way to the store, or to decrypt it on its way back.',
    labels: ['transformation_type'],
    buckets: TRANSFORMATION_SECONDS,
  },
  apiserver_storage_transformation_operations_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Objects encrypted and decrypted, by the form they are stored in and whether that worked.',
    labels: ['transformation_type', 'transformer_prefix', 'status'],
  },
} as const satisfies Readonly<Record<string, MetricSpec>>;
