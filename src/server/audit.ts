import { TokenRequest } from '../kinds/authentication/v1/token-request.ts';
import { listOf } from '../meta/list.ts';
import { PartialObjectMetadata } from '../meta/partial-object-metadata.ts';
import { Status } from '../meta/status.ts';
import { type AuditCounters, Auditor } from '../observe/audit/auditor.ts';
import { type AuditBackend, type OnLost, type Sink, union } from '../observe/audit/backend.ts';
import { BatchBackend } from '../observe/audit/batch-backend.ts';
import { BlockingBackend } from '../observe/audit/blocking-backend.ts';
import { LogSink, standardOutput } from '../observe/audit/log-sink.ts';
import { compilePolicy } from '../observe/audit/policy.ts';
import { loadPolicy } from '../observe/audit/policy-file.ts';
import type { SchemaOf } from '../observe/audit/response-text.ts';
import { RotatingFile } from '../observe/audit/rotating-file.ts';
import { truncating } from '../observe/audit/truncation.ts';
import { WebhookSink } from '../observe/audit/webhook-sink.ts';
import type { Logger } from '../observe/logging/logger.ts';
import type { NumberMetric } from '../observe/metrics/metrics.ts';
import type { Recorder } from '../observe/metrics/recorder.ts';
import { loadClientConfig } from '../outbound/config.ts';
import { demandPrivate, Outbound } from '../outbound/outbound.ts';
import type { Catalogue } from '../registry/catalogue.ts';
import { apiVersionOf } from '../registry/incoming.ts';
import { listKindOf } from '../registry/resource-type.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Node } from '../schema/node.ts';
import { FLAGS, type Settings } from '../settings/settings.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

export interface AuditParts {
  readonly settings: Settings;
  readonly catalogue: Catalogue;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
  readonly logger: Logger;
  /** Where losses and the like are counted. */
  readonly recorder: Recorder;
}

export interface Audit {
  readonly auditor: Auditor;
  /** Sends what is still to be sent. */
  close(): Promise<void>;
}

const MEGABYTE = 1024 * 1024;
const USUAL_MEGABYTES = 100;
/** Batches on their way to a service that takes its time; for a file they become one write. */
const PARALLEL_CALLS = 8;

/**
 * What the settings ask for; rejects with what to tell the operator when they do not fit. A policy without anywhere to
 * send events to records nothing.
 */
export async function auditFor(parts: AuditParts, policyFile: string): Promise<Audit | undefined> {
  const { runtime, vocabulary, logger } = parts;
  const policy = await loadPolicy(policyFile, vocabulary.groups.audit, (text) => logger.warn({}, text));
  const onLost = lossesTo(parts);
  const backends = [...(await logBackend(parts, onLost)), ...(await webhookBackend(parts, onLost))];
  if (backends.length === 0) return undefined;
  const backend = union(backends);
  const auditor = new Auditor({
    treatmentOf: compilePolicy(policy),
    backend,
    responses: { protobuf: vocabulary.mediaTypes.protobuf, schemaOf: schemasOf(parts) },
    counters: countersIn(parts),
    runtime,
    vocabulary,
  });
  return { auditor, close: () => backend.close() };
}

/** One line is enough until someone has looked: a full disk would fill the log of the server as well. */
function lossesTo({ recorder, logger }: AuditParts): OnLost {
  const told = new Set<string>();
  return (plugin, count, error) => {
    if (!told.has(plugin)) logger.error({ err: error, plugin }, 'audit events are being lost');
    told.add(plugin);
    recorder.number('apiserver_audit_error_total', [plugin]).value += count;
  };
}

function countersIn({ recorder }: AuditParts): AuditCounters {
  const count = (name: NumberMetric, labels: readonly string[]): void => {
    recorder.number(name, labels).value++;
  };
  return {
    judged: (level) => count('apiserver_audit_level_total', [level]),
    sent: () => count('apiserver_audit_event_total', []),
    rejected: () => count('apiserver_audit_requests_rejected_total', []),
  };
}

/** Both backends have the same flags, each under its own name. */
type Prefix = 'auditLog' | 'auditWebhook';

function demandVersion(prefix: Prefix, { settings, vocabulary }: AuditParts): void {
  const only = `${vocabulary.groups.audit}/v1`;
  const given = settings[`${prefix}Version`];
  const flag = FLAGS[`${prefix}Version`].name;
  if (given !== undefined && given !== only) throw new Error(`--${flag} must be ${only}, not "${given}"`);
}

async function logBackend(parts: AuditParts, onLost: OnLost): Promise<AuditBackend[]> {
  const { auditLogPath: path, auditLogFormat } = parts.settings;
  if (path === undefined) return [];
  demandVersion('auditLog', parts);
  const writer = path === '-' ? standardOutput : await rotatingFile(path, parts);
  return [backendOf('auditLog', new LogSink(writer, auditLogFormat), parts, onLost)];
}

async function rotatingFile(path: string, { settings, runtime, logger }: AuditParts): Promise<RotatingFile> {
  const file = new RotatingFile({
    path,
    maxBytes: (settings.auditLogMaxsize || USUAL_MEGABYTES) * MEGABYTE,
    maxBackups: settings.auditLogMaxbackup,
    maxAgeDays: settings.auditLogMaxage,
    compress: settings.auditLogCompress,
    runtime,
    onError: (error) => logger.warn({ err: error }, 'full audit logs could not be tidied up'),
  });
  await file.prepare().catch((error: NodeJS.ErrnoException) => {
    throw new Error(`--audit-log-path: ${path} cannot be written (${error.code})`);
  });
  return file;
}

async function webhookBackend(parts: AuditParts, onLost: OnLost): Promise<AuditBackend[]> {
  const { settings, runtime, vocabulary } = parts;
  const { auditWebhookConfigFile: file } = settings;
  if (file === undefined) return [];
  demandVersion('auditWebhook', parts);
  const connection = await loadClientConfig(file);
  if (connection.proxyUrl !== undefined) throw new Error(`${file}: proxies are not supported`);
  const sink = new WebhookSink({
    outbound: new Outbound(connection, runtime),
    url: demandPrivate(connection.server, file),
    bearer: connection.token,
    apiVersion: `${vocabulary.groups.audit}/v1`,
    initialBackoffMs: settings.auditWebhookInitialBackoff,
    runtime,
  });
  return [backendOf('auditWebhook', sink, parts, onLost)];
}

/** A sink as the flags of its backend want it used. */
function backendOf(prefix: Prefix, plain: Sink, { settings, runtime, vocabulary }: AuditParts, onLost: OnLost) {
  const sink = settings[`${prefix}TruncateEnabled`]
    ? truncating(plain, {
        maxBatchBytes: settings[`${prefix}TruncateMaxBatchSize`],
        maxEventBytes: settings[`${prefix}TruncateMaxEventSize`],
        annotation: vocabulary.auditAnnotations.truncated,
        onLost,
      })
    : plain;
  const mode = settings[`${prefix}Mode`];
  if (mode !== 'batch') return new BlockingBackend({ sink, strict: mode === 'blocking-strict', runtime, onLost });
  return new BatchBackend({
    sink,
    parallel: PARALLEL_CALLS,
    bufferSize: settings[`${prefix}BatchBufferSize`],
    maxSize: settings[`${prefix}BatchMaxSize`],
    maxWaitMs: settings[`${prefix}BatchMaxWait`],
    throttle: settings[`${prefix}BatchThrottleEnable`]
      ? { qps: settings[`${prefix}BatchThrottleQps`], burst: settings[`${prefix}BatchThrottleBurst`] }
      : undefined,
    runtime,
    onLost,
  });
}

/** The declarations of whatever can be answered in binary. Looked up rarely: events hold JSON. */
function schemasOf({ catalogue, vocabulary }: AuditParts): SchemaOf {
  const { authentication } = vocabulary.groups;
  return (apiVersion, kind) => {
    if (kind === 'Status') return Status;
    if (kind === 'PartialObjectMetadata') return PartialObjectMetadata;
    if (kind === 'PartialObjectMetadataList') return listOf(PartialObjectMetadata);
    if (kind === 'TokenRequest' && apiVersion === `${authentication}/v1`) return TokenRequest;
    for (const type of catalogue.all()) {
      const found = schemaIn(type, apiVersion, kind);
      if (found) return found;
    }
    return undefined;
  };
}

function schemaIn(type: ReturnType<Catalogue['typesOf']>[number], apiVersion: string, kind: string): Node | undefined {
  if (apiVersionOf(type) === apiVersion && type.kind === kind) return type.schema;
  if (apiVersionOf(type) === apiVersion && listKindOf(type) === kind) return listOf(type.schema);
  const projected = Object.values(type.subresources).map(({ projection }) => projection?.type);
  return projected.find((other) => other && apiVersionOf(other) === apiVersion && other.kind === kind)?.schema;
}
