import { headerValue } from '../http/headers.ts';
import type { HttpRequest } from '../http/message.ts';
import { readRequestInfo } from '../request/request-info.ts';

/** Methods that change nothing. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Sites that a browser's request may come from: pages of this server, and what people do themselves. */
const OWN_SITES = new Set(['same-origin', 'none']);

/**
 * Whether a page of another origin has a browser send a request that may change something, or that opens a connection.
 * Browsers say where a request comes from; other clients say nothing.
 */
export const isOfForeignPage = (request: HttpRequest): boolean => isForeign(request) && mayChange(request);

function isForeign(request: HttpRequest): boolean {
  const origin = headerValue(request, 'origin');
  const site = headerValue(request, 'sec-fetch-site');
  // What a browser says of the site counts before what it says of the origin: proxies change what that is compared with.
  if (site !== undefined) return !OWN_SITES.has(site);
  return origin !== undefined && !isOf(origin, hostOf(request));
}

/** What is put through to a container or a service may be taken for a change there, whatever its method. */
const mayChange = ({ method, target, canUpgrade }: HttpRequest): boolean =>
  !SAFE.has(method) || canUpgrade || readRequestInfo(method, target).subresource === 'proxy';

const hostOf = (request: HttpRequest): string =>
  headerValue(request, ':authority') ?? headerValue(request, 'host') ?? '';

const isOf = (origin: string, host: string): boolean =>
  origin.slice(origin.indexOf('://') + 3).toLowerCase() === host.toLowerCase();
