import { ApiError, internal, unavailable } from '../api/errors.ts';
import { MASTERS_GROUP, type UserInfo } from '../api/user.ts';
import type { AuthenticationChain } from '../authentication/authenticator.ts';
import { impersonated, isImpersonating } from '../authentication/impersonation.ts';
import type { Authorizer } from '../authorization/attributes.ts';
import { AccessDenied } from '../authorization/denial.ts';
import { authorize } from '../authorization/stage.ts';
import type { WatchGuard } from '../authorization/watch-guard.ts';
import { statusOf } from '../codec/status.ts';
import type { RequestLimiter, Seat } from '../flow/limiter.ts';
import { dispatch } from '../handlers/dispatch.ts';
import { asWanted } from '../handlers/format.ts';
import type { PathHandler } from '../handlers/path-handler.ts';
import { replyWithStatus } from '../handlers/respond.ts';
import type { Service } from '../handlers/service.ts';
import type { BodyBudget, BodyShare } from '../http/body-budget.ts';
import { compress, isLarge } from '../http/compression.ts';
import { discard } from '../http/exchange.ts';
import type { Handle } from '../http/handler.ts';
import { headerValue } from '../http/headers.ts';
import { type HttpRequest, isStream, type Reply } from '../http/message.ts';
import { Status } from '../meta/status.ts';
import { StorageUnavailable } from '../storage/backend.ts';
import { RequestContext } from './context.ts';
import type { Deadlines } from './deadlines.ts';
import { isConnection } from './long-running.ts';

/** Watches the path of requests from outside: metrics, logs, audit. */
export interface Observer {
  began(context: RequestContext): void;
  /** Who sends the request is known now. May hold the request up, or throw to refuse it; most have nothing to wait for. */
  identified(context: RequestContext): undefined | Promise<void>;
  /** Gives the reply to send, at once where it can: a stream may be wrapped, to learn of its end. */
  ended(context: RequestContext, reply: Reply): Reply | Promise<Reply>;
  /** A request has come to its end after its client had been told that time is over. */
  late(context: RequestContext, reply: Reply): void;
  /** A defect, with the id that its answer carries. */
  failed(context: RequestContext, error: unknown, id: string): void;
}

export interface PipelineParts {
  readonly authentication: AuthenticationChain;
  readonly authorizer: Authorizer;
  readonly deadlines: Deadlines;
  /** Of the bytes of bodies. A body is read before its request takes a seat: whoever sends slowly holds none. */
  readonly bodies: BodyBudget;
  readonly limiter: RequestLimiter;
  readonly watches: WatchGuard;
  /** Whether large answers are compressed for clients that like it. */
  readonly compresses: boolean;
  readonly service: Service;
  readonly paths: readonly PathHandler[];
  readonly observer: Observer;
}

/** Answers every request, and has it observed from its beginning to its end. */
export function makePipeline(parts: PipelineParts): Handle {
  const { runtime } = parts.service;
  return (request: HttpRequest): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const context = new RequestContext(request, auditIdOf(request) ?? runtime.uuid(), runtime.monotonic());
      parts.observer.began(context);
      void serve(parts, context, new Answer(parts.observer, context, resolve, reject));
    });
}

/** The path of every request, top to bottom. A stage adds to the context or throws; a throw is rendered here alone. */
async function serve(parts: PipelineParts, context: RequestContext, answer: Answer): Promise<void> {
  const { request } = context;
  const { runtime } = parts.service;
  let share: BodyShare | undefined;
  let seat: Seat | undefined;
  try {
    parts.deadlines.begin(context)?.onceOver(() => void sendError(parts, context, answer, context.deadline?.error));
    const caller = await parts.authentication.authenticate(request);
    context.user = caller;
    if (caller.warnings) for (const text of caller.warnings) context.warn(text);
    const noted = parts.observer.identified(context);
    if (noted) await noted;
    const user = isImpersonating(request) ? await actAs(parts, context, caller) : caller;
    parts.limiter.check(context, user);
    if (takesBody(context, parts.service)) {
      context.bodyFrom = runtime.monotonic();
      share = parts.bodies.open(caller.name, caller.groups.includes(MASTERS_GROUP));
      await context.prepareBody(parts.service.limits.bodyBytes, share);
    }
    context.queueFrom = runtime.monotonic();
    const entering = parts.limiter.enter(context, user);
    seat = entering instanceof Promise ? await entering : entering;
    context.isAdmitted = true;
    context.authorizationFrom = runtime.monotonic();
    await authorize(parts.authorizer, context, user);
    context.handlingFrom = runtime.monotonic();
    const dispatched = await dispatch(parts.service, parts.paths, context, user);
    const reply = context.info.verb === 'watch' ? guarded(parts, context, user, dispatched) : dispatched;
    answer.send(isLarge(reply) && parts.compresses ? await compress(request, reply) : reply);
  } catch (error) {
    await sendError(parts, context, answer, error);
  } finally {
    seat?.leave();
    share?.release();
    if (context.deadline) parts.deadlines.finish(context.deadline);
  }
}

/**
 * The one answer to a request. Once the deadline is over the client has been told so, and what comes of the request
 * nevertheless is dropped.
 */
class Answer {
  readonly #observer: Observer;
  readonly #context: RequestContext;
  readonly #resolve: (reply: Reply | Promise<Reply>) => void;
  readonly #reject: (error: unknown) => void;
  #isSent = false;

  constructor(
    observer: Observer,
    context: RequestContext,
    resolve: (reply: Reply | Promise<Reply>) => void,
    reject: (error: unknown) => void,
  ) {
    this.#observer = observer;
    this.#context = context;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  send(reply: Reply): void {
    if (this.#isSent) {
      this.#observer.late(this.#context, reply);
      discard(reply.body);
      return;
    }
    this.#isSent = true;
    const context = this.#context;
    try {
      const seen = this.#observer.ended(context, reply);
      if (seen instanceof Promise) this.#resolve(seen.then((one) => withStandardHeaders(context, one)));
      else this.#resolve(withStandardHeaders(context, seen));
    } catch (error) {
      this.#reject(error);
    }
  }

  /** Not even an error could be rendered. */
  fail(error: unknown): void {
    this.#reject(error);
  }
}

async function sendError(parts: PipelineParts, context: RequestContext, answer: Answer, error: unknown): Promise<void> {
  try {
    answer.send(await renderError(parts, context, error));
  } catch (failure) {
    answer.fail(failure);
  }
}

/** A watch goes on for as long as its user may see what it shows. */
function guarded({ watches }: PipelineParts, context: RequestContext, user: UserInfo, reply: Reply): Reply {
  return isStream(reply.body) ? { ...reply, body: watches.guard(context, user, reply.body) } : reply;
}

/** From here on the rights of someone else count; who really asks is kept beside them. */
async function actAs(parts: PipelineParts, context: RequestContext, caller: UserInfo): Promise<UserInfo> {
  const { authentication } = parts.service.vocabulary.groups;
  context.user = await impersonated(parts.authorizer, authentication, context.request, caller);
  context.impersonator = caller;
  return context.user;
}

const BODY_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Whether a handler may want the body as a whole. What goes through to somewhere else passes it on as it comes. */
const takesBody = ({ request, info }: RequestContext, { remotes }: Service): boolean =>
  BODY_METHODS.has(request.method) &&
  request.hasBody &&
  info.resourceRequest &&
  !isConnection(info) &&
  !remotes.has(info);

const AUDIT_ID = /^[\w.-]{1,64}$/;

/** A client may bring its own id, to find its request again. */
function auditIdOf({ headers }: HttpRequest): string | undefined {
  const given = headers['audit-id'];
  return typeof given === 'string' && AUDIT_ID.test(given) ? given : undefined;
}

function renderError(parts: PipelineParts, context: RequestContext, thrown: unknown): Promise<Reply> {
  if (thrown instanceof AccessDenied) context.denial = thrown;
  const error = asApiError(parts, context, thrown);
  const accept = headerValue(context.request, 'accept');
  const format = asWanted(parts.service.negotiator.chooseAnyway(accept, 'plain', Status), context);
  return replyWithStatus(error.code, statusOf(error), format).then((reply) =>
    error.details.retryAfterSeconds === undefined
      ? reply
      : { ...reply, headers: [...reply.headers, 'Retry-After', String(error.details.retryAfterSeconds)] },
  );
}

function asApiError({ observer, service }: PipelineParts, context: RequestContext, thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof StorageUnavailable) return unavailable(`the store is not available: ${thrown.message}`);
  const id = service.runtime.uuid();
  observer.failed(context, thrown, id);
  return internal(id);
}

function withStandardHeaders({ auditId, answerHeaders, warnings }: RequestContext, reply: Reply): Reply {
  const headers = [...reply.headers, ...answerHeaders, 'Audit-Id', auditId];
  if (warnings) for (const text of warnings) headers.push('Warning', `299 - ${quoted(text)}`);
  return { ...reply, headers };
}

/** A quoted string as headers allow it: one line, printable. */
const quoted = (text: string): string =>
  `"${text.replace(/[\\"]/g, '\\$&').replace(/[^\x20-\x7e]/g, (character) => (character < ' ' ? ' ' : '?'))}"`;
