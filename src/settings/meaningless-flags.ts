import { vocabularies } from '../vocabulary/vocabulary.ts';

/** A flag that start scripts pass to other servers of this interface, and that changes nothing here. */
export interface MeaninglessFlag {
  /** Why it changes nothing. */
  readonly why: string;
  /** It may stand without a value. */
  readonly isSwitch?: boolean;
}

const ETCD = 'connections to etcd have limits of their own';
const LOGS = 'log lines go to the standard error, and -v says how many there are';
const CLOUD = 'this server talks with no cloud provider';
const REAL_MEMORY = 'every object is served from memory in any case';
const PLAIN = 'there is no port without TLS';
const SERVER_IDENTITY = 'servers do not register themselves';

/**
 * Known so that scripts written for others start this server too: each is accepted, with a line that says why it has no
 * effect.
 */
export const MEANINGLESS_FLAGS: Readonly<Record<string, MeaninglessFlag>> = {
  'add-dir-header': { why: LOGS, isSwitch: true },
  alsologtostderr: { why: LOGS, isSwitch: true },
  'cert-dir': { why: 'certificates that are made here are in the data directory' },
  'cloud-config': { why: CLOUD },
  'cloud-provider': { why: CLOUD },
  'contention-profiling': { why: 'there is one thread, which contends with nobody', isSwitch: true },
  'delete-collection-workers': { why: 'collections are deleted side by side as far as the store keeps up' },
  'egress-selector-config-file': { why: 'connections to nodes and webhooks are made directly' },
  'enable-aggregator-routing': { why: 'requests for APIServices go to endpoints in any case', isSwitch: true },
  'endpoint-reconciler-type': { why: 'the endpoints of servers are kept by leases' },
  'etcd-compaction-interval': { why: '--history-retention says how long history is kept' },
  'etcd-count-metric-poll-period': { why: 'objects are counted as they change' },
  'etcd-db-metric-poll-interval': { why: 'the size of the store is read when somebody asks' },
  'etcd-healthcheck-timeout': { why: ETCD },
  'etcd-readycheck-timeout': { why: ETCD },
  'etcd-servers-overrides': { why: 'all objects are in one etcd, so that they have one order' },
  'identity-lease-duration-seconds': { why: SERVER_IDENTITY },
  'identity-lease-renew-interval-seconds': { why: SERVER_IDENTITY },
  'insecure-bind-address': { why: PLAIN },
  'insecure-port': { why: PLAIN },
  'lease-reuse-duration-seconds': { why: 'events expire by a control loop, not by leases of etcd' },
  'log-backtrace-at': { why: LOGS },
  'log-dir': { why: LOGS },
  'log-file': { why: LOGS },
  'log-file-max-size': { why: LOGS },
  'log-flush-frequency': { why: 'log lines are written at once' },
  'log-json-info-buffer-size': { why: LOGS },
  'log-json-split-stream': { why: LOGS, isSwitch: true },
  logtostderr: { why: LOGS, isSwitch: true },
  'master-service-namespace': { why: 'the service of the server is in the namespace default' },
  'max-connection-bytes-per-sec': { why: 'flow control of connections bounds what is under way' },
  'one-output': { why: LOGS, isSwitch: true },
  'permit-address-sharing': { why: 'a port is opened by one server at a time', isSwitch: true },
  'permit-port-sharing': { why: 'a port is opened by one server at a time', isSwitch: true },
  profiling: { why: 'Node has its own way to profile a process (--cpu-prof)', isSwitch: true },
  'shutdown-send-retry-after': { why: 'a server that stops tells clients to come back by itself', isSwitch: true },
  'skip-headers': { why: LOGS, isSwitch: true },
  'skip-log-headers': { why: LOGS, isSwitch: true },
  stderrthreshold: { why: LOGS },
  'storage-backend': { why: '--storage says where objects are kept' },
  'storage-media-type': { why: 'objects are stored in the form they are sent in, which is JSON' },
  'tracing-config-file': { why: 'requests are not traced; slow ones are logged with where the time went' },
  vmodule: { why: LOGS },
  'watch-cache': { why: REAL_MEMORY, isSwitch: true },
  'watch-cache-sizes': { why: REAL_MEMORY },
  ...Object.fromEntries(
    Object.values(vocabularies).map(({ flags }) => [
      flags.serviceNodePort,
      { why: 'the service of the server has no port on nodes' },
    ]),
  ),
};
