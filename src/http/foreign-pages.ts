import { headerValue } from './headers.ts';
import type { HttpRequest } from './message.ts';

/** Methods that change nothing. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** What is behind such a path may take any request for a change. */
const GOES_ON = /^\/api\/v1\/.*\/proxy(?:[/?]|$)/;

/** Sites that a browser's request may come from: pages of this server, and what people do themselves. */
const OWN_SITES = new Set(['same-origin', 'none']);

/**
 * Whether a page of another origin has a browser send a request that may change something, or that opens a connection.
 * Browsers say where a request comes from; other clients say nothing.
 */
export function isOfForeignPage(request: HttpRequest): boolean {
  if (SAFE.has(request.method) && !request.canUpgrade && !GOES_ON.test(request.target)) return false;
  const origin = headerValue(request, 'origin');
  const site = headerValue(request, 'sec-fetch-site');
  // What a browser says of the site counts before what it says of the origin: proxies change what that is compared with.
  if (site !== undefined) return !OWN_SITES.has(site);
  return origin !== undefined && !isOf(origin, hostOf(request));
}

const hostOf = (request: HttpRequest): string =>
  headerValue(request, ':authority') ?? headerValue(request, 'host') ?? '';

const isOf = (origin: string, host: string): boolean =>
  origin.slice(origin.indexOf('://') + 3).toLowerCase() === host.toLowerCase();
