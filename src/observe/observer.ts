import { isStream, type Reply } from '../http/message.ts';
import type { RequestContext } from '../request/context.ts';
import type { Observer } from '../request/pipeline.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Auditor } from './audit/auditor.ts';
import { TappedStream } from './audit/tapped-stream.ts';
import type { Logger } from './logging/logger.ts';
import { requestLine } from './logging/request-line.ts';
import { SlowRequests } from './logging/slow-requests.ts';
import type { ServerMetrics } from './metrics/server-metrics.ts';

export interface ObserverParts {
  readonly metrics: ServerMetrics;
  readonly logger: Logger;
  /** From how many milliseconds on a request is slow; 0 for never. */
  readonly slowMs: number;
  /** Whether requests of control loops are logged as well: there are many of them, and the audit log has them. */
  readonly logsLoops: boolean;
  readonly runtime: Runtime;
  /** Absent: no request is recorded. */
  readonly auditor: Auditor | undefined;
}

/** Metrics, logs and audit, from outside the path of a request. */
export function observe({ metrics, logger, slowMs, logsLoops, runtime, auditor }: ObserverParts): Observer {
  const logged = logger.informs === false ? unlogged : requestLog(logger, logsLoops, runtime);
  const slow = new SlowRequests(logger, runtime, slowMs);
  return {
    began: (context) => metrics.began(context),
    identified(context) {
      metrics.identified(context);
      return auditor?.identified(context);
    },
    ended(context, reply) {
      slow.ended(context, reply);
      const counted = metrics.ended(context, logged(context, reply));
      return auditor ? auditor.ended(context, counted) : counted;
    },
    late: (_context, reply) => metrics.late(reply),
    failed(context, error, id) {
      const { request, info, auditId } = context;
      logger.error({ err: error, id, method: request.method, path: info.path, auditId }, 'a request met a defect');
      auditor?.failed(context);
    },
  };
}

/** Gives the reply to send. */
type Logged = (context: RequestContext, reply: Reply) => Reply;

const unlogged: Logged = (_context, reply) => reply;

/** A line for each request, when its answer is made; for a stream when it ends, with the time that it was open. */
function requestLog(logger: Logger, logsLoops: boolean, runtime: Runtime): Logged {
  return (context, reply) => {
    const { received, request } = context;
    if (request.background && !logsLoops) return reply;
    const line = requestLine(context, reply);
    const log = (): void => {
      const milliseconds = Math.round((runtime.monotonic() - received) * 100) / 100;
      logger.info({ ...line, milliseconds }, 'request');
    };
    const { body } = reply;
    if (isStream(body)) return { ...reply, body: new TappedStream(body, false, log) };
    log();
    return reply;
  };
}
