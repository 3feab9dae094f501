import { isIP } from 'node:net';
import { headerValue } from '../../http/headers.ts';
import type { HttpRequest } from '../../http/message.ts';

/**
 * Where a request came from: what proxies say about it, which anyone can make up, then the peer of the connection, which
 * nobody can.
 */
export function sourceAddresses(request: HttpRequest): string[] {
  const forwarded = (headerValue(request, 'x-forwarded-for') ?? '').split(',').map((text) => text.trim());
  const addresses = forwarded.filter((text) => isIP(text) > 0);
  const real = headerValue(request, 'x-real-ip') ?? '';
  if (isIP(real) > 0 && !addresses.includes(real)) addresses.push(real);
  const peer = request.remoteAddress.replace(/^::ffff:(?=\d+\.)/, '');
  if (peer !== '' && addresses.at(-1) !== peer) addresses.push(peer);
  return addresses;
}
