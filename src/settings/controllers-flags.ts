import { vocabularyNames } from '../vocabulary/vocabulary.ts';
import {
  boolean,
  choice,
  duration,
  type Flag,
  type FlagValues,
  integer,
  list,
  optionalChoice,
  optionalText,
  text,
} from './flag.ts';
import { TERMINATED_POD_GC_THRESHOLD } from './loop-flags.ts';
import { SIGNING_FLAGS } from './signing-flags.ts';

/** The flags of `platform-apiserver controllers`. */
export const CONTROLLERS_FLAGS = {
  kubeconfig: text('kubeconfig', 'FILE', '', 'client configuration that says where the plane is, and who asks'),
  vocabulary: choice('vocabulary', vocabularyNames, 'platform', 'which names the plane speaks'),
  controllers: list(
    'controllers',
    'LOOPS',
    ['*'],
    'control loops to run: * for all that are on by default, foo for one, -foo for all but one',
  ),
  useServiceAccountCredentials: boolean(
    'use-service-account-credentials',
    true,
    'let each loop act as a service account of its own; otherwise all act as the user of the client configuration',
  ),
  ...SIGNING_FLAGS,
  rootCaFile: optionalText(
    'root-ca-file',
    'FILE',
    'PEM bundle that is published in every namespace; by default the authority in the client configuration',
  ),
  serviceAccountPrivateKeyFile: optionalText(
    'service-account-private-key-file',
    'FILE',
    'PEM key to sign the tokens with that secrets hold; without it nobody fills such secrets',
  ),
  terminatedPodGcThreshold: TERMINATED_POD_GC_THRESHOLD,
  leaderElect: boolean('leader-elect', true, 'run the loops in one of the processes that stand for the same Lease'),
  leaderElectLeaseDuration: duration(
    'leader-elect-lease-duration',
    10_000,
    'how long others wait for a sign of the leader before one takes its place',
  ),
  leaderElectRenewDeadline: duration(
    'leader-elect-renew-deadline',
    7_000,
    'how long a leader that cannot renew goes on; less than the lease lasts',
  ),
  leaderElectRetryPeriod: duration('leader-elect-retry-period', 2_000, 'how often a leader renews, and others look'),
  leaderElectResourceName: optionalText(
    'leader-elect-resource-name',
    'NAME',
    'name of the Lease; by default the one that the role of controller managers is about',
  ),
  leaderElectResourceNamespace: optionalText(
    'leader-elect-resource-namespace',
    'NAMESPACE',
    'namespace of the Lease; by default that of the system',
  ),
  metricsBindAddress: optionalText(
    'metrics-bind-address',
    'ADDRESS:PORT',
    'where health and metrics are served, over HTTP without asking who it is; nowhere unless given',
  ),
  v: integer('v', 0, 10, 0, 'how much to log: 0 problems, 2 more'),
  logFormat: optionalChoice(
    'log-format',
    ['text', 'json'],
    'how log lines are written; by default text on a terminal, otherwise json',
  ),
} as const satisfies Record<string, Flag<unknown>>;

export type ControllersSettings = FlagValues<typeof CONTROLLERS_FLAGS>;
