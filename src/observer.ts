import type { Auditor } from './audit/auditor.ts';
import type { Reply } from './http/message.ts';
import type { Logger } from './logging.ts';
import type { ServerMetrics } from './metrics/server-metrics.ts';
import type { Observer } from './pipeline.ts';
import type { RequestContext } from './request/context.ts';
import type { Runtime } from './runtime.ts';

export interface ObserverParts {
  readonly metrics: ServerMetrics;
  readonly logger: Logger;
  readonly runtime: Runtime;
  /** Absent: no request is recorded. */
  readonly auditor: Auditor | undefined;
}

/** Metrics, logs and audit, from outside the path of a request. */
export function observe({ metrics, logger, runtime, auditor }: ObserverParts): Observer {
  return {
    began: (context) => metrics.began(context),
    identified: (context) => auditor?.identified(context),
    ended(context, reply) {
      logger.info(summary(context, reply, runtime), 'request');
      const counted = metrics.ended(context, reply);
      return auditor ? auditor.ended(context, counted) : counted;
    },
    failed(context, error, id) {
      const { request, info, auditId } = context;
      logger.error({ err: error, id, method: request.method, path: info.path, auditId }, 'a request met a defect');
      auditor?.failed(context);
    },
  };
}

const summary = (
  { request, info, auditId, user, impersonator, received }: RequestContext,
  { status }: Reply,
  runtime: Runtime,
) => ({
  method: request.method,
  path: info.path,
  verb: info.verb,
  user: user?.name,
  impersonator: impersonator?.name,
  status,
  milliseconds: Math.round((runtime.monotonic() - received) * 100) / 100,
  auditId,
});
