import { vocabularyNames } from '../vocabulary/vocabulary.ts';
import { AGGREGATION_FLAGS } from './aggregation-flags.ts';
import { AUDIT_FLAGS } from './audit-flags.ts';
import { AUTHENTICATION_FLAGS } from './authentication-flags.ts';
import { CONFIGURATION_FILE_FLAGS } from './configuration-file-flags.ts';
import {
  boolean,
  choice,
  duration,
  type FlagValues,
  integer,
  list,
  optionalSize,
  optionalText,
  repeated,
  type Setting,
  size,
  text,
} from './flag.ts';
import { HISTORY_FLAGS } from './history-flags.ts';
import { LOGGING_FLAGS } from './logging-flags.ts';
import { LOOP_FLAGS } from './loop-flags.ts';
import { RELEASE_FLAGS } from './release-flags.ts';
import { SERVING_FLAGS } from './serving-flags.ts';
import { SIGNING_FLAGS } from './signing-flags.ts';

/** Every flag of the server. */
export const FLAGS = {
  bindAddress: text('bind-address', 'ADDRESS', '127.0.0.1', 'IP address to serve HTTPS on'),
  securePort: integer('secure-port', 0, 65_535, 6443, 'port to serve HTTPS on; 0 takes any free one'),
  dataDir: text(
    'data-dir',
    'DIRECTORY',
    '.platform',
    'where objects, certificates and the admin configuration are kept',
  ),
  storage: choice(
    'storage',
    ['lmdb', 'memory', 'etcd'],
    'lmdb',
    'lmdb keeps objects on disk, memory forgets them at the end, etcd is what --etcd-servers implies',
  ),
  etcdServers: list('etcd-servers', 'URLS', [], 'members of the etcd to keep objects in, http or https'),
  etcdPrefix: text('etcd-prefix', 'PATH', '/registry', 'what all keys in etcd begin with'),
  etcdCafile: optionalText('etcd-cafile', 'FILE', 'PEM bundle to verify etcd by; by default that of the system'),
  etcdCertfile: optionalText('etcd-certfile', 'FILE', 'PEM certificate to show to etcd'),
  etcdKeyfile: optionalText('etcd-keyfile', 'FILE', 'PEM key of that certificate'),
  etcdSharedKeyFile: optionalText(
    'etcd-shared-key-file',
    'FILE',
    'a secret that all servers over one etcd have: their authority is kept in etcd, sealed with it',
  ),
  vocabulary: choice('vocabulary', vocabularyNames, 'platform', 'the names used on the wire'),
  ...AUTHENTICATION_FLAGS,
  tlsCertFile: optionalText('tls-cert-file', 'FILE', 'PEM serving certificate, with intermediates; made when absent'),
  tlsPrivateKeyFile: optionalText('tls-private-key-file', 'FILE', 'PEM key of the serving certificate'),
  tlsMinVersion: choice(
    'tls-min-version',
    ['VersionTLS12', 'VersionTLS13'],
    'VersionTLS12',
    'the oldest version of TLS that is spoken',
  ),
  tlsCipherSuites: list(
    'tls-cipher-suites',
    'NAMES',
    [],
    'cipher suites for TLS 1.2 by their registered names; by default those of the platform',
  ),
  ...SERVING_FLAGS,
  authorizationMode: list(
    'authorization-mode',
    'MODES',
    ['RBAC'],
    'who decides, in order: Node, ABAC, RBAC, Webhook, AlwaysAllow, AlwaysDeny',
  ),
  authorizationPolicyFile: optionalText(
    'authorization-policy-file',
    'FILE',
    'policies of the mode ABAC, a line of JSON each',
  ),
  authorizationWebhookConfigFile: optionalText(
    'authorization-webhook-config-file',
    'FILE',
    'client configuration of the service that decides in the mode Webhook',
  ),
  authorizationWebhookVersion: choice(
    'authorization-webhook-version',
    ['v1beta1', 'v1'],
    'v1beta1',
    'version of the SubjectAccessReviews that are sent there',
  ),
  authorizationWebhookCacheAuthorizedTtl: duration(
    'authorization-webhook-cache-authorized-ttl',
    300_000,
    'how long it is remembered what that service allows',
  ),
  authorizationWebhookCacheUnauthorizedTtl: duration(
    'authorization-webhook-cache-unauthorized-ttl',
    30_000,
    'how long it is remembered what that service does not allow',
  ),
  enableAdmissionPlugins: list(
    'enable-admission-plugins',
    'PLUGINS',
    [],
    'admission plugins to turn on beside those that are on by default; their order does not matter',
  ),
  disableAdmissionPlugins: list(
    'disable-admission-plugins',
    'PLUGINS',
    [],
    'admission plugins to turn off; their order does not matter',
  ),
  admissionControl: list(
    'admission-control',
    'PLUGINS',
    [],
    'deprecated: the plugins to turn on, and no others; use the two flags above',
  ),
  admissionControlConfigFile: optionalText(
    'admission-control-config-file',
    'FILE',
    'AdmissionConfiguration that configures admission plugins',
  ),
  defaultNotReadyTolerationSeconds: integer(
    'default-not-ready-toleration-seconds',
    0,
    2 ** 31 - 1,
    300,
    'how long pods that do not say so themselves stay on a node that is not ready',
  ),
  defaultUnreachableTolerationSeconds: integer(
    'default-unreachable-toleration-seconds',
    0,
    2 ** 31 - 1,
    300,
    'how long pods that do not say so themselves stay on a node that cannot be reached',
  ),
  ...LOOP_FLAGS,
  ...RELEASE_FLAGS,
  allowPrivileged: boolean('allow-privileged', false, 'let containers be privileged'),
  enablePriorityAndFairness: boolean(
    'enable-priority-and-fairness',
    true,
    'share the server out by flow schemas and priority levels; otherwise by the two limits that follow',
  ),
  maxRequestsInflight: integer(
    'max-requests-inflight',
    0,
    1_000_000,
    400,
    'requests that read, at once; the seats of all priority levels are the sum of both limits',
  ),
  maxMutatingRequestsInflight: integer(
    'max-mutating-requests-inflight',
    0,
    1_000_000,
    200,
    'requests that change something, at once; 0 for no limit',
  ),
  memoryLimit: optionalSize(
    'memory-limit',
    128 * 2 ** 20,
    'memory to get along with; beyond it requests that take more are refused, the least important first; by default what the machine or its control group has',
  ),
  requestTimeout: duration(
    'request-timeout',
    60_000,
    'after how long a request is answered with 504 if it has no answer yet, unless it says a shorter timeout itself; it may wait a quarter of this for its turn',
  ),
  minRequestTimeout: integer(
    'min-request-timeout',
    1,
    1_000_000,
    1800,
    'seconds after which a watch without a timeout of its own ends at the earliest; at the latest it is twice as many',
  ),
  shutdownDelayDuration: duration(
    'shutdown-delay-duration',
    0,
    'how long to go on serving, not ready, before stopping',
  ),
  livezGracePeriod: duration('livez-grace-period', 0, 'how long livez overlooks start-up work that is not finished'),
  serviceClusterIpRange: text(
    'service-cluster-ip-range',
    'RANGE[,RANGE]',
    '10.0.0.0/24',
    'addresses for services; the second range, if any, is of the other IP family',
  ),
  serviceNodePortRange: text(
    'service-node-port-range',
    'FIRST-LAST',
    '30000-32767',
    'ports that services can have on every node',
  ),
  advertiseAddress: optionalText(
    'advertise-address',
    'ADDRESS',
    'where others are told the server is; by default where it listens, or an address of the machine',
  ),
  kubeletPreferredAddressTypes: list(
    'kubelet-preferred-address-types',
    'TYPES',
    ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'],
    'which of its addresses a node is reached at, the preferred one first',
  ),
  kubeletCertificateAuthority: optionalText(
    'kubelet-certificate-authority',
    'FILE',
    'PEM bundle to verify nodes by; without it they are not verified',
  ),
  kubeletClientCertificate: optionalText(
    'kubelet-client-certificate',
    'FILE',
    'PEM certificate to show to nodes, for logs, exec, attach, port forwarding and proxies',
  ),
  kubeletClientKey: optionalText('kubelet-client-key', 'FILE', 'PEM key of that certificate'),
  kubeletTimeout: duration('kubelet-timeout', 5_000, 'how long a connection to a node may take to come about'),
  ...AGGREGATION_FLAGS,
  ...HISTORY_FLAGS,
  storageQuota: size(
    'storage-quota',
    0,
    'how much the embedded store may hold; beyond it only what does not grow is taken; 0 for no limit',
  ),
  ...CONFIGURATION_FILE_FLAGS,
  encryptionProviderConfig: optionalText(
    'encryption-provider-config',
    'FILE',
    'EncryptionConfiguration that says which objects are encrypted where they are stored, and with which keys',
  ),
  ...SIGNING_FLAGS,
  ...AUDIT_FLAGS,
  showHiddenMetricsForVersion: optionalText(
    'show-hidden-metrics-for-version',
    'RELEASE',
    'show metrics that are hidden since this release; only the previous release can be named',
  ),
  disabledMetrics: list('disabled-metrics', 'NAMES', [], 'metrics not to show'),
  allowMetricLabels: repeated(
    'allow-metric-labels',
    "METRIC,LABEL='VALUES'",
    'values that a label of a metric may have; all others are shown as one',
  ),
  ...LOGGING_FLAGS,
} as const satisfies Record<string, Setting<unknown>>;

export type Settings = FlagValues<typeof FLAGS>;

/** Where objects are kept: members of an etcd are not named for nothing. */
export const storageOf = ({ storage, etcdServers }: Settings): Settings['storage'] =>
  etcdServers.length > 0 ? 'etcd' : storage;

/** The flags by the names of their options. */
export const FLAG_ROWS: readonly (readonly [option: string, flag: Setting<unknown>])[] = Object.entries(FLAGS);

export const DEFAULT_SETTINGS: Settings = Object.fromEntries(
  FLAG_ROWS.map(([key, { fallback }]) => [key, fallback]),
) as Settings;
