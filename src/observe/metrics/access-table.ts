import type { MetricSpec } from './metric-spec.ts';

const HALF_HOUR = 1800;
const DAY = 86_400;

const POD_SECURITY_TARGET = ['request_operation', 'resource', 'subresource'] as const;

/** What is counted of who asks, and of whether they may. */
export const ACCESS_METRICS = {
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
  authenticated_user_requests: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Requests whose sender is known, by a few names; all others are one of two sorts.',
    labels: ['username'],
  },
  authentication_token_cache_request_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Tokens by whether they were known already: hit, or miss.',
    labels: ['status'],
  },
  authentication_token_cache_request_duration_seconds: {
    type: 'histogram',
    stability: 'ALPHA',
    help: 'Seconds until it was known whose a token is, by whether it was known already.',
    labels: ['status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  authentication_token_cache_fetch_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Tokens that had to be verified, by signature or by another service: ok, or error.',
    labels: ['status'],
  },
  authentication_token_cache_active_fetch_count: {
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Tokens that another service is being asked about now: in_flight, and requests that wait for the same answer: blocked.',
    labels: ['status'],
  },
  apiserver_client_certificate_expiration_seconds: {
    type: 'histogram',
    stability: 'ALPHA',
    help: 'Seconds that the certificates of clients still had to go when a request came with one.',
    labels: [],
    buckets: [
      ...[0, HALF_HOUR, 2 * HALF_HOUR, 4 * HALF_HOUR, DAY / 4, DAY / 2],
      ...[DAY, 2 * DAY, 4 * DAY, 7 * DAY, 30 * DAY, 90 * DAY, 180 * DAY, 360 * DAY],
    ],
  },
  serviceaccount_legacy_tokens_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Uses of service account tokens that are kept in secrets.',
    labels: [],
  },
  serviceaccount_stale_tokens_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Uses of service account tokens that should have been replaced by newer ones.',
    labels: [],
  },
  serviceaccount_valid_tokens_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Uses of service account tokens that run out by themselves, and are in good time.',
    labels: [],
  },
  apiserver_console_logins_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Codes that somebody wanted to log in to the console with: granted, or refused.',
    labels: ['result'],
  },
  apiserver_tls_handshake_errors_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Connections that failed before they were encrypted.',
    labels: [],
  },
  pod_security_evaluations_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Pods and templates held to a policy of pod security, by the policy, what follows from it, and the outcome.',
    labels: ['decision', 'policy_level', 'policy_version', 'mode', ...POD_SECURITY_TARGET],
  },
  pod_security_exemptions_total: {
    type: 'counter',
    stability: 'ALPHA',
    help: 'Pods and templates that are exempt from pod security.',
    labels: POD_SECURITY_TARGET,
  },
} as const satisfies Readonly<Record<string, MetricSpec>>;
