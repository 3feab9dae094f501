import { ApiError, badRequest, unavailable } from '../../api/errors.ts';
import type { UserInfo } from '../../api/user.ts';
import { discard } from '../../http/exchange.ts';
import { hasHeader } from '../../http/headers.ts';
import type { Reply } from '../../http/message.ts';
import type { Destination, DialOptions } from '../../outbound/dialer.ts';
import { type IdentityHeaderNames, identityHeadersOf } from '../../outbound/identity-headers.ts';
import type { RequestContext } from '../../request/context.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import type { Forwarder } from './forwarder.ts';
import { tracesOf } from './proxy.ts';

/** Where a request goes that another server answers. */
export interface RemoteRoute extends Pick<DialOptions, 'trust' | 'guarded' | 'connectTimeoutMs' | 'at' | 'agent'> {
  readonly destination: Destination;
}

/** A server that answers for a version of an API group. */
export interface RemoteServer {
  readonly isAvailable: boolean;
  /** `target`: path and query. Throws an Error of one line when nobody is there. */
  route(target: string): RemoteRoute;
}

/** Requests that other servers answer. */
export interface RemoteVersions {
  /** Whether another server answers. */
  has(info: RequestInfo): boolean;
  /** Undefined: this server answers itself. */
  answer(context: RequestContext, user: UserInfo): Promise<Reply> | undefined;
}

export const NO_REMOTE_VERSIONS: RemoteVersions = { has: () => false, answer: () => undefined };

export interface RemoteProxyOptions {
  find(info: RequestInfo): RemoteServer | undefined;
  readonly forwarder: Forwarder;
  /** How the other server is told who asks. */
  readonly identityHeaders: IdentityHeaderNames;
  /** False: answers that redirect go through to the client. */
  readonly refusesRedirects: boolean;
}

const BAD_GATEWAY = 502;

/**
 * Passes requests on to the servers that answer for versions of API groups. Who asks was found out here, and what they may
 * do was decided here: the other server is told so, by headers that count because of the certificate shown with them.
 */
export class RemoteProxy implements RemoteVersions {
  readonly #options: RemoteProxyOptions;

  constructor(options: RemoteProxyOptions) {
    this.#options = options;
  }

  has(info: RequestInfo): boolean {
    return this.#options.find(info) !== undefined;
  }

  answer(context: RequestContext, user: UserInfo): Promise<Reply> | undefined {
    const server = this.#options.find(context.info);
    return server && this.#pass(server, context, user);
  }

  async #pass(server: RemoteServer, { request, info }: RequestContext, user: UserInfo): Promise<Reply> {
    if (!server.isAvailable) throw unavailable('service unavailable');
    refuseDots(info.path);
    const { forwarder, identityHeaders, refusesRedirects } = this.#options;
    const identity = identityHeadersOf(user, identityHeaders);
    try {
      const { destination, ...route } = server.route(request.target);
      const headers = [...tracesOf(request, info.path), ...identity];
      const reply = await forwarder.forward(request, destination, { ...route, headers });
      return refusesRedirects ? unlessRedirect(reply) : reply;
    } catch (error) {
      if (error instanceof ApiError || !(error instanceof Error)) throw error;
      throw unavailable(`error trying to reach service: ${error.message}`);
    }
  }
}

/** What was authorized is the path as it is written; another server may take it for what it leads to. */
function refuseDots(path: string): void {
  const leadsAway = path.split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment));
  if (leadsAway) throw badRequest('the path must not contain "." or ".."');
}

/** A client that followed would show its credentials to whomever the other server names. */
function unlessRedirect(reply: Reply): Reply {
  const { status, headers, body } = reply;
  const isRedirect = status >= 300 && status < 400 && hasHeader(headers, 'location');
  if (!isRedirect) return reply;
  discard(body);
  const message = 'the backend attempted to redirect this request, which is not permitted';
  throw new ApiError('ServiceUnavailable', message, {}, BAD_GATEWAY);
}
