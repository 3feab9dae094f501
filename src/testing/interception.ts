import { ApiError, type Details } from '../api/errors.ts';
import type { Reply } from '../http/message.ts';
import type { Catalogue } from '../registry/catalogue.ts';
import type { RequestContext } from '../request/context.ts';
import type { Interceptor } from '../request/interceptor.ts';

/** A request as hooks see it. */
export interface InterceptedRequest {
  /** The name of the user who sends it, or whom it acts as. */
  readonly client: string;
  /** The `User-Agent`; '' where there is none. */
  readonly agent: string;
  /** get, list, watch, create, update, patch, delete, deletecollection; the method in small letters for other paths. */
  readonly verb: string;
  /** `Pod`; '' where the path is none of a kind that is served. */
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  /** `pods`. */
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** By which it is found in logs and the audit log; in the answer too. */
  readonly auditId: string;
  /** Sent by a control loop of the plane itself. */
  readonly background: boolean;
}

/** One of these values, or any where it is absent. */
type OneOf = string | readonly string[] | undefined;

/** Which requests are meant: those that fit everything that is given. */
export interface RequestFilter {
  /** Names of users. */
  readonly client?: OneOf;
  /** Programs, as their user agent begins: `kubectl` is `kubectl/v1.25.0 …`. */
  readonly agent?: OneOf;
  readonly verb?: OneOf;
  /** Names of kinds, or of their resources: `Pod` or `pods`. */
  readonly kind?: OneOf;
  /** The plane's own control loops count as clients too. Otherwise they are left alone. */
  readonly loops?: boolean | undefined;
}

/** What is done with requests, in the plane's place. Both see requests in the order of their arrival. */
export interface RequestHooks {
  /** Before anything is done. Holds the request up for as long as it takes; what it throws as `ApiError` is the answer. */
  before?(request: InterceptedRequest, context: RequestContext): void | Promise<void>;
  /** Returns the reply to send in place of this one; the same one where there is nothing to change. */
  answer?(request: InterceptedRequest, reply: Reply, context: RequestContext): Reply | Promise<Reply>;
}

/** A reply that breaks the connection off after its headers, so that a client sees an answer that is not complete. */
export const brokenOff = (): Reply => ({
  status: 200,
  headers: [],
  body: { start: (sink) => sink.abort(), onDrain() {}, onClose() {}, onShutdown() {} },
});

interface Registered {
  readonly filter: RequestFilter;
  readonly hooks: RequestHooks;
}

/**
 * The hooks of a plane. They are called in the order in which they were added, each with what the ones before it left:
 * whoever records adds themselves after whoever disturbs.
 */
export class Interception implements Interceptor {
  readonly #catalogue: () => Catalogue | undefined;
  readonly #registered = new Set<Registered>();
  readonly #described = new WeakMap<RequestContext, InterceptedRequest>();

  /** `catalogue`: what the plane serves, once it has started. */
  constructor(catalogue: () => Catalogue | undefined) {
    this.#catalogue = catalogue;
  }

  /** Until the result is disposed of. */
  add(filter: RequestFilter, hooks: RequestHooks): Disposable {
    const registered = { filter, hooks };
    this.#registered.add(registered);
    return { [Symbol.dispose]: () => void this.#registered.delete(registered) };
  }

  arrived(context: RequestContext): undefined | Promise<void> {
    return this.#registered.size === 0 ? undefined : this.#before(context);
  }

  answered(context: RequestContext, reply: Reply): Reply | Promise<Reply> {
    return this.#registered.size === 0 ? reply : this.#answer(context, reply);
  }

  async #before(context: RequestContext): Promise<void> {
    const request = this.#describe(context);
    try {
      for (const { filter, hooks } of this.#registered) {
        if (hooks.before && fits(filter, request)) await hooks.before(request, context);
      }
    } catch (error) {
      throw ownRefusal(error);
    }
  }

  async #answer(context: RequestContext, reply: Reply): Promise<Reply> {
    const request = this.#describe(context);
    let current = reply;
    for (const { filter, hooks } of this.#registered) {
      if (hooks.answer && fits(filter, request)) current = await hooks.answer(request, current, context);
    }
    return current;
  }

  /** Once a request, so that hooks can know one again by identity. */
  #describe(context: RequestContext): InterceptedRequest {
    const known = this.#described.get(context);
    if (known) return known;
    const { info, request, auditId } = context;
    const { verb, group, version, resource, subresource, namespace, name } = info;
    const described = {
      client: actedAs(context) ?? context.user?.name ?? '',
      agent: textOf(request.headers['user-agent']) ?? '',
      verb,
      kind: this.#catalogue()?.find(group, version, resource)?.kind ?? '',
      group,
      version,
      resource,
      subresource,
      namespace,
      name,
      method: request.method,
      target: request.target,
      auditId,
      background: request.background ?? false,
    };
    this.#described.set(context, described);
    return described;
  }
}

/** Requests arrive before it is decided whether their sender may act as another. */
const actedAs = ({ request }: RequestContext): string | undefined => textOf(request.headers['impersonate-user']);

const textOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

function fits({ client, agent, verb, kind, loops = false }: RequestFilter, request: InterceptedRequest): boolean {
  return (
    (loops || !request.background) &&
    isOneOf(client, (name) => name === request.client) &&
    isOneOf(agent, (program) => request.agent === program || request.agent.startsWith(`${program}/`)) &&
    isOneOf(verb, (name) => name === request.verb) &&
    isOneOf(kind, (name) => name === request.kind || name === request.resource)
  );
}

const isOneOf = (wanted: OneOf, is: (one: string) => boolean): boolean =>
  wanted === undefined || (typeof wanted === 'string' ? is(wanted) : wanted.some(is));

/**
 * Hooks of a program throw the `ApiError` of the client library, which is another class once both are bundled. Whatever
 * else they throw is a defect of theirs, and is answered as one.
 */
function ownRefusal(error: unknown): unknown {
  if (error instanceof ApiError || !(error instanceof Error)) return error;
  const { reason, details, code } = error as { reason?: unknown; details?: Details; code?: unknown };
  if (typeof reason !== 'string' || typeof code !== 'number') return error;
  return new ApiError(reason, error.message, details, code);
}
