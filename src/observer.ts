import type { Reply } from './http/message.ts';
import type { Logger } from './logging.ts';
import type { ServerMetrics } from './metrics/server-metrics.ts';
import type { Observer } from './pipeline.ts';
import type { RequestContext } from './request/context.ts';
import type { Runtime } from './runtime.ts';

/** Metrics and logs, from outside the path of a request. */
export function observe(metrics: ServerMetrics, logger: Logger, runtime: Runtime): Observer {
  return {
    began: (context) => metrics.began(context),
    identified: () => undefined,
    ended(context, reply) {
      logger.info(summary(context, reply, runtime), 'request');
      return metrics.ended(context, reply);
    },
    failed: ({ request: { method }, info: { path }, auditId }, error, id) =>
      logger.error({ err: error, id, method, path, auditId }, 'a request met a defect'),
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
