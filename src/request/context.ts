import { ApiError } from '../api/errors.ts';
import type { UserInfo } from '../api/user.ts';
import type { Decision } from '../authorization/attributes.ts';
import type { AccessDenied } from '../authorization/denial.ts';
import type { BodyAccount, HttpRequest } from '../http/message.ts';
import type { AdmissionSteps, AnnotationLevel, WebhookCall } from '../registry/admission.ts';
import type { Deadline } from '../runtime/deadline.ts';
import type { FlowPlace, FlowWait } from './flow-place.ts';
import type { RequestRecord } from './record.ts';
import { type RequestInfo, readRequestInfo } from './request-info.ts';

/** How long all warnings of a request may be together, and one of them once they are too long together. */
const LONGEST_WARNINGS = 4096;
const LONGEST_WARNING = 256;

/** So many calls of webhooks are kept: a request can be tried again and again. */
const MOST_CALLS = 32;

const NO_HEADERS: readonly string[] = [];

/** One request on its way through the pipeline. Each stage reads what earlier ones added. */
export class RequestContext {
  readonly request: HttpRequest;
  readonly info: RequestInfo;
  /** Appears in the response, in logs and in audit events. */
  readonly auditId: string;
  /** Monotonic milliseconds, for latencies. */
  readonly received: number;
  /** Until when the client is answered; absent for requests that last as long as the client likes. */
  deadline: Deadline | undefined;
  /** Whose rights count. Set by authentication; until then nobody. */
  user: UserInfo | undefined;
  /** Who sent the request, where that is not `user`: someone who acts as another. */
  impersonator: UserInfo | undefined;
  /** Texts for Warning headers; none for most requests. */
  warnings: string[] | undefined;
  /** Headers of the answer, whatever it is: names and values in turn. */
  answerHeaders: readonly string[] = NO_HEADERS;
  /** Whether it may be worked on: neither memory nor the number of requests under way stands in its way. */
  isAdmitted = false;
  /** What authorization said, once it was asked. */
  decision: Decision | undefined;
  /** The refusal that it was answered with, where authorization refused it. */
  denial: AccessDenied | undefined;
  /** When parts of the work on the request began, in monotonic milliseconds; 0: they have not, or there are none. */
  bodyFrom = 0;
  queueFrom = 0;
  authorizationFrom = 0;
  handlingFrom = 0;
  /** Where flow control put the request, and how it had to wait there for a seat; undefined: it did not. */
  flow: FlowPlace | undefined;
  wait: FlowWait | undefined;
  /** How long admission webhooks kept the request waiting. */
  webhookMs = 0;
  /** The first of the calls of admission webhooks; undefined where none was asked. */
  webhookCalls: WebhookCall[] | undefined;
  /** Follows what admission does; absent for nearly all requests. */
  steps: AdmissionSteps | undefined;
  /** Absent unless someone records this request: what it would keep is then not even put together. */
  record: RequestRecord | undefined;
  #body: Promise<Buffer> | undefined;

  constructor(request: HttpRequest, auditId: string, received: number) {
    this.request = request;
    this.info = readRequestInfo(request.method, request.target);
    this.auditId = auditId;
    this.received = received;
  }

  /**
   * Reads the body before someone asks for it. What is wrong with it is told to whoever does: most of those who may not,
   * or go nowhere, never will. Rejects with 429 when there is no room for it.
   */
  async prepareBody(limit: number, account: BodyAccount): Promise<void> {
    this.#body = this.request.readBody(limit, account);
    await this.#body.catch((error) => {
      if (error instanceof ApiError && error.reason === 'TooManyRequests') throw error;
    });
  }

  /** The body, once. Rejects as `HttpRequest.readBody` does. */
  readBody(limit: number): Promise<Buffer> {
    return this.#body ?? this.request.readBody(limit);
  }

  /** A write that is tried again warns again: the client hears each text once, and no more than its headers can hold. */
  warn(text: string): void {
    this.steps?.warned(text);
    this.warnings ??= [];
    const told = this.warnings.reduce((length, warning) => length + warning.length, 0);
    const kept = told + text.length > LONGEST_WARNINGS ? text.slice(0, LONGEST_WARNING) : text;
    if (told + kept.length <= LONGEST_WARNINGS && !this.warnings.includes(kept)) this.warnings.push(kept);
  }

  /** A webhook kept the request waiting for so many milliseconds. */
  waited(milliseconds: number): void {
    this.webhookMs += milliseconds;
  }

  /** An admission webhook was asked about it. */
  called(call: WebhookCall): void {
    this.webhookCalls ??= [];
    if (this.webhookCalls.length < MOST_CALLS) this.webhookCalls.push(call);
  }

  /**
   * Adds to the record of the request, if there is one. Keys are a domain and a name, `policy.example.com/outcome`; what
   * was said first under a key stays.
   */
  annotate(key: string, value: string, level: AnnotationLevel = 'Metadata'): void {
    this.steps?.annotated(key, value);
    this.record?.annotate(key, value, level);
  }
}
