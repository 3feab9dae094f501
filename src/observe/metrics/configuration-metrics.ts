import type { MetricSpec } from './metric-spec.ts';

const reloads = (subject: string) =>
  ({
    type: 'counter',
    stability: 'ALPHA',
    help: `How often the ${subject} configuration was read again because its file changed, by whether it could be used.`,
    labels: ['status'],
  }) as const;

const lastReload = (subject: string) =>
  ({
    type: 'gauge',
    stability: 'ALPHA',
    help: `When the ${subject} configuration was last read again, in seconds since 1970, by whether it could be used.`,
    labels: ['status'],
  }) as const;

/** What is counted of files that are read again while the server runs. */
export const CONFIGURATION_METRICS = {
  apiserver_authentication_config_controller_automatic_reloads_total: reloads('authentication'),
  apiserver_authentication_config_controller_automatic_reload_last_timestamp_seconds: lastReload('authentication'),
  apiserver_authorization_config_controller_automatic_reloads_total: reloads('authorization'),
  apiserver_authorization_config_controller_automatic_reload_last_timestamp_seconds: lastReload('authorization'),
} as const satisfies Record<string, MetricSpec>;
