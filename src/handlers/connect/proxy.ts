import { ApiError, badRequest } from '../../api/errors.ts';
import type { HttpRequest, Reply } from '../../http/message.ts';
import { AddressNotAllowed, authorityOf, type Destination } from '../../outbound/dialer.ts';
import type { NetworkAddress } from '../../outbound/network.ts';
import type { OutboundTrust } from '../../outbound/outbound.ts';
import type { ConnectCall } from './connector.ts';
import type { Forwarder } from './forwarder.ts';
import { proxyPath, rewriteLocation } from './proxy-path.ts';

/** Where a proxied request goes, and how much that place is trusted. */
export interface ProxyTarget extends NetworkAddress {
  readonly scheme: 'http' | 'https';
  readonly trust: OutboundTrust;
  readonly guarded: boolean;
  readonly connectTimeoutMs: number;
}

/** Pods and services show certificates of their own making. */
export const UNVERIFIED: OutboundTrust = { insecureSkipTlsVerify: true };

export const PROXY_CONNECT_TIMEOUT_MS = 30_000;

/** What every place inside the cluster gets that is not the service of a node. */
export const INSIDE = { trust: UNVERIFIED, guarded: true, connectTimeoutMs: PROXY_CONNECT_TIMEOUT_MS } as const;

/** Passes a request on to a target, under the path behind the subresource and with the query as it came. */
export async function proxy(forwarder: Forwarder, { request, info }: ConnectCall, target: ProxyTarget): Promise<Reply> {
  const { prefix, path } = proxyPath(info);
  const query = request.target.slice(info.path.length);
  // Relative links of a root page lead astray unless its path ends in a slash.
  if (path === '' && (request.method === 'GET' || request.method === 'HEAD')) return movedTo(`${prefix}/${query}`);
  const destination: Destination = { ...target, target: `${path || '/'}${query}` };
  const authority = authorityOf(target);
  try {
    return await forwarder.forward(request, destination, {
      ...target,
      headers: tracesOf(request, prefix + path),
      onLocation: (location) => rewriteLocation(location, authority, prefix),
    });
  } catch (error) {
    throw asRefusal(error);
  }
}

const movedTo = (location: string): Reply => ({ status: 301, headers: ['Location', location], body: [] });

/** Whom the request is for, as the client sees it. */
export function tracesOf({ headers, remoteAddress }: HttpRequest, uri: string): string[] {
  const host = headers.host ?? headers[':authority'];
  const from = remoteAddress === '' ? [] : ['X-Forwarded-For', remoteAddress];
  const asked = typeof host === 'string' ? ['X-Forwarded-Host', host] : [];
  return [...from, ...asked, 'X-Forwarded-Proto', 'https', 'X-Forwarded-Uri', uri];
}

function asRefusal(error: unknown): unknown {
  if (error instanceof ApiError || !(error instanceof Error)) return error;
  if (error instanceof AddressNotAllowed) return badRequest(error.message);
  return new ApiError('ServiceUnavailable', `error trying to reach service: ${error.message}`);
}
