import { boolean, choice, decimal, duration, integer, optionalText } from './flag.ts';

const MODES = ['batch', 'blocking', 'blocking-strict'] as const;
const MODE_HELP =
  'batch sends later, blocking lets requests wait for their events, blocking-strict refuses those without';
const MOST = 1_000_000_000;
const TEN_MIB = 10 * 1024 * 1024;
const HUNDRED_KIB = 100 * 1024;

/** What is recorded, and where to. Both backends have the same switches under their own names. */
export const AUDIT_FLAGS = {
  auditPolicyFile: optionalText(
    'audit-policy-file',
    'FILE',
    'policy that says which requests are recorded; none without',
  ),

  auditLogPath: optionalText('audit-log-path', 'FILE', 'where events are written; - for the standard output'),
  auditLogMaxage: integer('audit-log-maxage', 0, MOST, 0, 'days that full log files are kept; 0 for good'),
  auditLogMaxbackup: integer('audit-log-maxbackup', 0, MOST, 0, 'how many full log files are kept; 0 for all'),
  auditLogMaxsize: integer('audit-log-maxsize', 0, MOST, 0, 'megabytes after which a new log file is begun; 0 for 100'),
  auditLogCompress: boolean('audit-log-compress', false, 'compress full log files'),
  auditLogFormat: choice('audit-log-format', ['json', 'legacy'], 'json', 'how events are written, a line each'),
  auditLogMode: choice('audit-log-mode', MODES, 'blocking', MODE_HELP),
  auditLogVersion: optionalText('audit-log-version', 'VERSION', 'version of the events; there is one, v1'),
  auditLogBatchBufferSize: integer(
    'audit-log-batch-buffer-size',
    1,
    MOST,
    10_000,
    'events that can wait; more are lost',
  ),
  auditLogBatchMaxSize: integer('audit-log-batch-max-size', 1, MOST, 1, 'events that are written at once'),
  auditLogBatchMaxWait: duration('audit-log-batch-max-wait', 0, 'how long an event waits for others'),
  auditLogBatchThrottleEnable: boolean('audit-log-batch-throttle-enable', false, 'whether batches have a rate'),
  auditLogBatchThrottleQps: decimal('audit-log-batch-throttle-qps', 10, 'batches a second'),
  auditLogBatchThrottleBurst: integer('audit-log-batch-throttle-burst', 1, MOST, 15, 'batches in a row after a pause'),
  auditLogTruncateEnabled: boolean(
    'audit-log-truncate-enabled',
    false,
    'leave bodies out of events that are too large',
  ),
  auditLogTruncateMaxBatchSize: integer('audit-log-truncate-max-batch-size', 1, MOST, TEN_MIB, 'bytes written at once'),
  auditLogTruncateMaxEventSize: integer('audit-log-truncate-max-event-size', 1, MOST, HUNDRED_KIB, 'bytes of an event'),

  auditWebhookConfigFile: optionalText(
    'audit-webhook-config-file',
    'FILE',
    'client configuration of a service that is sent events',
  ),
  auditWebhookInitialBackoff: duration(
    'audit-webhook-initial-backoff',
    10_000,
    'how long to wait before events are sent again that could not be',
  ),
  auditWebhookMode: choice('audit-webhook-mode', MODES, 'batch', MODE_HELP),
  auditWebhookVersion: optionalText('audit-webhook-version', 'VERSION', 'version of the events; there is one, v1'),
  auditWebhookBatchBufferSize: integer(
    'audit-webhook-batch-buffer-size',
    1,
    MOST,
    10_000,
    'events that can wait; more are lost',
  ),
  auditWebhookBatchMaxSize: integer('audit-webhook-batch-max-size', 1, MOST, 400, 'events that are sent at once'),
  auditWebhookBatchMaxWait: duration('audit-webhook-batch-max-wait', 30_000, 'how long an event waits for others'),
  auditWebhookBatchThrottleEnable: boolean('audit-webhook-batch-throttle-enable', true, 'whether batches have a rate'),
  auditWebhookBatchThrottleQps: decimal('audit-webhook-batch-throttle-qps', 10, 'batches a second'),
  auditWebhookBatchThrottleBurst: integer(
    'audit-webhook-batch-throttle-burst',
    1,
    MOST,
    15,
    'batches in a row after a pause',
  ),
  auditWebhookTruncateEnabled: boolean(
    'audit-webhook-truncate-enabled',
    false,
    'leave bodies out of events that are too large',
  ),
  auditWebhookTruncateMaxBatchSize: integer(
    'audit-webhook-truncate-max-batch-size',
    1,
    MOST,
    TEN_MIB,
    'bytes sent at once',
  ),
  auditWebhookTruncateMaxEventSize: integer(
    'audit-webhook-truncate-max-event-size',
    1,
    MOST,
    HUNDRED_KIB,
    'bytes of an event',
  ),
} as const;
