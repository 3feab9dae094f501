import type { HttpRequest } from '../http/message.ts';
import type { UserInfo } from '../user.ts';
import { type RequestInfo, readRequestInfo } from './request-info.ts';

/** One request on its way through the pipeline. Each stage reads what earlier ones added. */
export class RequestContext {
  readonly request: HttpRequest;
  readonly info: RequestInfo;
  /** Appears in the response, in logs and in audit events. */
  readonly auditId: string;
  /** Monotonic milliseconds, for latencies. */
  readonly received: number;
  /** Whose rights count. Set by authentication; until then nobody. */
  user: UserInfo | undefined;
  /** Who sent the request, where that is not `user`: someone who acts as another. */
  impersonator: UserInfo | undefined;
  /** Texts for Warning headers; none for most requests. */
  warnings: string[] | undefined;

  constructor(request: HttpRequest, auditId: string, received: number) {
    this.request = request;
    this.info = readRequestInfo(request.method, request.target);
    this.auditId = auditId;
    this.received = received;
  }

  /** A write that is tried again warns again: the client hears each text once. */
  warn(text: string): void {
    this.warnings ??= [];
    if (!this.warnings.includes(text)) this.warnings.push(text);
  }
}
