import type { LoginAttempt } from '../console/console.ts';
import type { HttpRequest, Reply } from '../http/message.ts';
import { LineBudget } from '../observe/logging/line-budget.ts';
import type { Logger } from '../observe/logging/logger.ts';
import type { ServerMetrics } from '../observe/metrics/server-metrics.ts';
import { RequestContext } from '../request/context.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Audit } from './audit.ts';

export interface ConsoleLoginsParts {
  readonly vocabulary: Vocabulary;
  readonly logger: Logger;
  readonly metrics: Pick<ServerMetrics, 'recorder'>;
  readonly runtime: Runtime;
  /** Absent: no request is recorded. */
  readonly audit: Audit | undefined;
}

type LoginResult = 'granted' | 'refused';

/** Counts, logs and audits log-ins to the console, which are answered in front of the path that does so for requests. */
export class ConsoleLogins {
  readonly #parts: ConsoleLoginsParts;
  /** Of codes that were not good: anybody can send some. */
  readonly #refusals: LineBudget;

  constructor(parts: ConsoleLoginsParts) {
    this.#parts = parts;
    this.#refusals = new LineBudget(parts.runtime);
  }

  /** Gives the answer to send. Rejects where an audit log that must have everything cannot take it. */
  async record(request: HttpRequest, attempt: () => Promise<LoginAttempt>): Promise<Reply> {
    const { runtime } = this.#parts;
    const context = new RequestContext(request, runtime.uuid(), runtime.monotonic());
    const { user, reply } = await attempt();
    context.user = user;
    let result: LoginResult = 'refused';
    try {
      await this.#audit(context, reply);
      if (user) result = 'granted';
    } finally {
      if (user || reply.status === 401) this.#tell(result, context);
    }
    return { ...reply, headers: [...reply.headers, 'Audit-Id', context.auditId] };
  }

  /** Bodies are in no record: they are the code and the token. */
  async #audit(context: RequestContext, reply: Reply): Promise<void> {
    const auditor = this.#parts.audit?.auditor;
    if (context.user) await auditor?.identified(context);
    await auditor?.ended(context, { ...reply, body: [] });
  }

  #tell(result: LoginResult, { auditId, request }: RequestContext): void {
    this.#parts.metrics.recorder.number('apiserver_console_logins_total', [result]).value++;
    const untold = result === 'granted' ? {} : this.#refusals.take();
    if (!untold) return;
    const line = { result, auditId, from: request.socket?.remoteAddress, ...untold };
    this.#parts.logger.warn(line, 'somebody logged in to the console with a code, or tried to');
  }
}
